using Gateway.Codec.Structures;

namespace Gateway.PubSub.Uadp.Reading;

/// <summary>A NetworkMessage with data that came in, whatever its mapping. Null members: the message does not carry
/// them. Immutable. Source: Part 14 §5.3.4.</summary>
internal sealed class UadpMessage
{
    /// <summary>As text; a number is decimal.</summary>
    public string? PublisherId { get; init; }

    public ushort? WriterGroupId { get; init; }

    public uint? GroupVersion { get; init; }

    public ushort? NetworkMessageNumber { get; init; }

    /// <summary>Of the NetworkMessages of the group.</summary>
    public ushort? SequenceNumber { get; init; }

    public Guid? DataSetClassId { get; init; }

    /// <summary>UTC.</summary>
    public DateTime? Timestamp { get; init; }

    /// <summary>That the message had and that was checked.</summary>
    public MessageSecurityMode SecurityMode { get; init; } = MessageSecurityMode.None;

    /// <summary>In their order, those with a problem too.</summary>
    public IReadOnlyList<UadpDataSet> DataSets { get; init; } = [];
}
