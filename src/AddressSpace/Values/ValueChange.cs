using Gateway.AddressSpace.Nodes;

namespace Gateway.AddressSpace.Values;

/// <summary>One change on its way to a shard. The reference to the value travels with it: the taker of the change
/// releases it.</summary>
public readonly record struct ValueChange(NodeHandle Node, SharedValue Value);
