using Gateway.Codec.Binary;

namespace Gateway.Client.Subscriptions;

/// <summary>
/// NotificationMessage in place: sequence number 4, publish time 8, count 4, NotificationData as ExtensionObjects. No
/// data means keep-alive, and the number is then the next one's. Source: Part 4 §7.26, §5.14.1.1.
///</summary>
internal readonly ref struct NotificationMessageReader
{
    private NotificationMessageReader(
        ReadOnlySpan<byte> whole, UaBinaryReader data, uint sequenceNumber, DateTime publishTime, int count)
    {
        Whole = whole;
        Data = data;
        SequenceNumber = sequenceNumber;
        PublishTime = publishTime;
        Count = count;
    }

    /// <summary>From the sequence number to the end of the response; what is held back while a gap is filled.</summary>
    public ReadOnlySpan<byte> Whole { get; }

    /// <summary>Stands at the first of <see cref="Count"/> ExtensionObjects.</summary>
    public UaBinaryReader Data { get; }

    public uint SequenceNumber { get; }

    public DateTime PublishTime { get; }

    public int Count { get; }

    public bool IsKeepAlive => Count <= 0;

    public bool Failed => Data.Failed;

    public static NotificationMessageReader Read(UaBinaryReader reader)
    {
        var whole = reader.Failed ? default : reader.Slice(reader.Position, reader.Position + reader.Remaining);
        var sequenceNumber = reader.ReadUInt32();
        var publishTime = reader.ReadDateTime();
        var count = reader.ReadArrayLength(3);
        return new NotificationMessageReader(whole, reader, sequenceNumber, publishTime, count);
    }
}
