using Gateway.Codec.Types;

namespace Gateway.PubSub.Messages;

/// <summary>One DataSetMessage. A member is null where the message does not say it; what a NetworkMessage's header says
/// is repeated here. Source: Part 14 §7.2.5.4.</summary>
public sealed record ReceivedDataSet
{
    public string? PublisherId { get; init; }

    public string? WriterGroupName { get; init; }

    public ushort? DataSetWriterId { get; init; }

    public string? DataSetWriterName { get; init; }

    public uint? SequenceNumber { get; init; }

    /// <summary>It has 16 bits.</summary>
    public bool IsSequenceShort { get; init; }

    public uint? MajorVersion { get; init; }

    public uint? MinorVersion { get; init; }

    public DateTime? Timestamp { get; init; }

    public StatusCode Status { get; init; }

    /// <summary>Where the message does not say it: a keep-alive has no payload, and a delta frame has not all fields of
    /// the metadata.</summary>
    public required FrameKind Kind { get; init; }

    /// <summary>The fields were read with the metadata of the message's version. False: their types are guesses, except
    /// where the message says them.</summary>
    public bool IsTyped { get; init; }

    public required IReadOnlyList<ReceivedField> Fields { get; init; }
}
