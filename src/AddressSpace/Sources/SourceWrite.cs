using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Types;

namespace Gateway.AddressSpace.Sources;

/// <summary>One write whose type and permissions are checked already.</summary>
/// <param name="Node">A Variable.</param>
/// <param name="Value">Absent times are MinValue.</param>
/// <param name="IndexRange">Null for the whole value. Source: Part 4 §7.27.</param>
public readonly record struct SourceWrite(NodeHandle Node, DataValue Value, string? IndexRange = null);
