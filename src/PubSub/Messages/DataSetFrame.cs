using Gateway.Codec.Types;

namespace Gateway.PubSub.Messages;

/// <summary>A DataSetMessage before it has a mapping. Source: Part 14 §5.3.2.</summary>
public readonly ref struct DataSetFrame
{
    public required WriterDescription Writer { get; init; }

    public required FrameKind Kind { get; init; }

    /// <summary>Counts the writer's messages; a mapping of 16 bits takes the lower ones.</summary>
    public required uint SequenceNumber { get; init; }

    /// <summary>UTC, of the frame.</summary>
    public required DateTime Timestamp { get; init; }

    public StatusCode Status { get; init; }

    /// <summary>Of a key frame: one for each field, in order. Of a delta frame: those that have changed, in any
    /// order. Of a keep-alive: none.</summary>
    public ReadOnlySpan<FrameField> Fields { get; init; }
}
