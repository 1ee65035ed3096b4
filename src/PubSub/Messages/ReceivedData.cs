namespace Gateway.PubSub.Messages;

/// <summary>DataSetMessages. Source: Part 14 §7.2.5.3.</summary>
public sealed record ReceivedData : ReceivedMessage
{
    public string? WriterGroupName { get; init; }

    public Guid DataSetClassId { get; init; }

    /// <summary>In the order of the message.</summary>
    public required IReadOnlyList<ReceivedDataSet> DataSets { get; init; }
}
