using Gateway.Codec.Types;
using Gateway.PubSub.Messages;

namespace Gateway.PubSub.Uadp.Reading;

/// <summary>A DataSetMessage that came in. Null members: the message does not carry them. Immutable.
/// Source: Part 14 §5.3.2.</summary>
internal sealed class UadpDataSet
{
    /// <summary>0: the message does not name its writer, and the configuration does not either.</summary>
    public ushort DataSetWriterId { get; init; }

    public FrameKind Kind { get; init; }

    /// <summary>Of 16 bits in UADP. Of a keep-alive: of the next message.</summary>
    public uint? SequenceNumber { get; init; }

    /// <summary>UTC.</summary>
    public DateTime? Timestamp { get; init; }

    /// <summary>Of the DataSet; Good where the message does not carry it.</summary>
    public StatusCode Status { get; init; }

    public uint? MajorVersion { get; init; }

    public uint? MinorVersion { get; init; }

    /// <summary>Empty with a problem, and of a keep-alive.</summary>
    public IReadOnlyList<UadpField> Fields { get; init; } = [];

    public UadpDataSetProblem Problem { get; init; }
}
