namespace Gateway.AddressSpace.Nodes;

/// <summary>Where a node lies in its <see cref="NodeTable"/>. Index 0 is no node. Stable for the life of the process: a
/// removed node's handle is never given to another.</summary>
public readonly record struct NodeHandle(int Index)
{
    public bool IsNone => Index == 0;
}
