using Gateway.Codec.Binary;
using Gateway.Codec.Types;

namespace Gateway.Client.Subscriptions;

/// <summary>The items of one DataChangeNotification, read in place: client handle and value, <see cref="Count"/> times.
/// Source: Part 4 §7.25.2.</summary>
public ref struct DataChangeReader
{
    private UaBinaryReader _reader;
    private int _left;

    internal DataChangeReader(UaBinaryReader body, uint sequenceNumber, DateTime publishTime)
    {
        _reader = body;
        SequenceNumber = sequenceNumber;
        PublishTime = publishTime;
        Count = _left = Math.Max(0, _reader.ReadArrayLength(5));
    }

    public uint SequenceNumber { get; }

    public DateTime PublishTime { get; }

    public int Count { get; }

    /// <summary>Good, or why reading stopped before the end.</summary>
    public readonly StatusCode Status => _reader.Status;

    public bool TryRead(out uint clientHandle, out RawDataValue value)
    {
        clientHandle = 0;
        value = default;
        if (_left == 0)
            return false;
        _left--;
        clientHandle = _reader.ReadUInt32();
        value = RawDataValue.Read(ref _reader);
        return !_reader.Failed;
    }
}
