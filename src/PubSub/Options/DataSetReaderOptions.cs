namespace Gateway.PubSub.Options;

/// <summary>A DataSetReader: takes the messages of one DataSetWriter of a publisher. Source: Part 14 §6.2.9.</summary>
public sealed record DataSetReaderOptions
{
    private const double MaxTimeoutMs = 3_600_000;

    /// <summary>Of the object that its fields hang below.</summary>
    public string Name { get; init; } = "";

    public string PublisherId { get; init; } = "";

    public int DataSetWriterId { get; init; }

    /// <summary>In UADP without a payload header, the group whose messages have this writer's at its place; 0: any.
    /// </summary>
    public int WriterGroupId { get; init; }

    /// <summary>Of messages that say no version of their own: others are not used. 0: that of the newest metadata of
    /// the group's readers, as a gateway publishes it.</summary>
    public long GroupVersion { get; init; }

    /// <summary>Without a message for so long, a keep-alive among them, the values are stale.</summary>
    public double MessageReceiveTimeoutMs { get; init; } = 30_000;

    /// <summary><c>published</c>: the NodeIds that the metadata names; <c>own</c>: those of the publisher's namespace
    /// here.</summary>
    public string NodeIds { get; init; } = "published";

    /// <summary>A file with the metadata, as its publisher sends it in JSON; empty: it comes by messages.</summary>
    public string MetaDataPath { get; init; } = "";

    internal void Validate(OptionErrors errors)
    {
        errors.Demand(TopicNames.IsLevel(Name), nameof(Name), TopicNames.Expected);
        errors.Demand(TopicNames.IsLevel(PublisherId), nameof(PublisherId), TopicNames.Expected);
        errors.Demand(
            DataSetWriterId is >= 1 and <= ushort.MaxValue, nameof(DataSetWriterId),
            $"{DataSetWriterId} is not between 1 and {ushort.MaxValue}");
        errors.Demand(
            MessageReceiveTimeoutMs is >= 1 and <= MaxTimeoutMs, nameof(MessageReceiveTimeoutMs),
            $"{MessageReceiveTimeoutMs} is not between 1 and {MaxTimeoutMs} ms");
        errors.Demand(
            WriterGroupId is >= 0 and <= ushort.MaxValue, nameof(WriterGroupId),
            $"{WriterGroupId} is not between 0 and {ushort.MaxValue}");
        errors.Demand(
            GroupVersion is >= 0 and <= uint.MaxValue, nameof(GroupVersion),
            $"{GroupVersion} is not between 0 and {uint.MaxValue}");
        errors.Demand(
            NodeIds is "published" or "own", nameof(NodeIds), $"'{NodeIds}' is neither published nor own");
    }
}
