namespace Gateway.Sources.OpcUa.Items;

/// <summary>Nodes that are read together. Owner: <see cref="CyclicItems"/>.</summary>
/// <param name="readAt">A timestamp: the beat begins there.</param>
internal sealed class CyclicGroup(long readAt)
{
    public HashSet<int> Nodes { get; } = [];

    public long ReadAt { get; set; } = readAt;
}
