using Gateway.Codec.Types;

namespace Gateway.AddressSpace.Nodes;

/// <summary>One reference as its node sees it. A target elsewhere has no <see cref="Target"/> but an
/// <see cref="ExternalTarget"/>; a target that was removed meanwhile has NodeClass Unspecified.</summary>
public readonly record struct Reference(
    NodeHandle ReferenceType, bool IsForward, NodeHandle Target, ExpandedNodeId ExternalTarget)
{
    /// <summary>On another server, or in a namespace that this one has not registered.</summary>
    public bool IsExternal => Target.IsNone;
}
