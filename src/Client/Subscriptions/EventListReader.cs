using Gateway.Codec.Binary;
using Gateway.Codec.Types;

namespace Gateway.Client.Subscriptions;

/// <summary>The events of one EventNotificationList, read in place: client handle and fields, <see cref="Count"/>
/// times. Source: Part 4 §7.25.3.</summary>
public ref struct EventListReader
{
    /// <summary>Client handle and number of fields.</summary>
    private const int LeastBytes = 8;

    /// <summary>Far above all select clauses of a filter. A peer that sends more cannot have memory made for them.
    /// </summary>
    private const int MostFields = 4096;

    private UaBinaryReader _reader;
    private int _left;

    internal EventListReader(UaBinaryReader body)
    {
        _reader = body;
        Count = _left = Math.Max(0, _reader.ReadArrayLength(LeastBytes));
    }

    public int Count { get; }

    /// <summary>Good, or why reading stopped before the end.</summary>
    public readonly StatusCode Status => _reader.Status;

    /// <param name="clientHandle">Of the item.</param>
    /// <param name="fields">In the order of its select clauses; without those above <see cref="MostFields"/>.</param>
    /// <param name="bytes">Of the event, encoded.</param>
    public bool TryRead(out uint clientHandle, out Variant[] fields, out int bytes)
    {
        (clientHandle, fields, bytes) = (0, [], 0);
        if (_left == 0)
            return false;
        _left--;
        var start = _reader.Position;
        clientHandle = _reader.ReadUInt32();
        var count = Math.Max(0, _reader.ReadArrayLength(1));
        fields = new Variant[Math.Min(count, MostFields)];
        for (var i = 0; i < count && !_reader.Failed; i++)
        {
            var field = _reader.ReadVariant();
            if (i < fields.Length)
                fields[i] = field;
        }

        bytes = _reader.Position - start;
        return !_reader.Failed;
    }
}
