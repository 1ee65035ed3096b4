using Gateway.Codec.Types;

namespace Gateway.Sources.OpcUa.Browsing;

/// <summary>The outcome of a browse for the gateway's nodes.</summary>
/// <param name="Added">New here.</param>
/// <param name="Removed">No longer at the upstream.</param>
/// <param name="Unmapped">Left out: their namespace got no index.</param>
/// <param name="Differing">Types that others serve under the same id with other contents.</param>
/// <param name="FirstDiffering">One of them, as the upstream names it.</param>
internal readonly record struct MergeResult(
    int Added, int Removed, int Unmapped, int Differing, NodeId FirstDiffering);
