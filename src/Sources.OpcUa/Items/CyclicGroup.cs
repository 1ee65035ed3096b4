namespace Gateway.Sources.OpcUa.Items;

/// <summary>Nodes that are read together. Owner: <see cref="CyclicItems"/>.</summary>
/// <param name="readAt">A timestamp: the beat begins there.</param>
internal sealed class CyclicGroup(long readAt)
{
    public HashSet<int> Nodes { get; } = [];

    /// <summary>Of the last beat, not asked yet. Some may have gone meanwhile.</summary>
    public Queue<int> Waiting { get; } = new();

    public long ReadAt { get; set; } = readAt;
}
