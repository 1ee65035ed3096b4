using System.Runtime.CompilerServices;
using Gateway.AddressSpace.Values;
using Gateway.Codec.Json;
using Gateway.Publish.Streams;
using Gateway.Rest.Answers;
using Gateway.Rest.Events;
using Gateway.Rest.Values;

namespace Gateway.Rest.Streams;

/// <summary>A cache of the JSON of values and events that streams have sent last: a change is encoded once for all
/// streams that watch the node, an event once for all with the same filter and fields. Shape: sets of four entries, by
/// the value's object. An entry holds a reference, so the pool cannot reuse the object while the entry exists. A full
/// set replaces its entries in turn, and so does the table at its limit of bytes. Threads: any, without a lock: a value
/// that two threads encode at once may be in it twice.</summary>
internal sealed class EncodedValues(RestFormat format, RestLimits limits)
{
    private const int Places = 16 * 1024;
    private const int PlacesPerSet = 4;

    private readonly Entry?[] _entries = new Entry?[Places];
    private long _heldBytes;
    private long _encoded;
    private uint _turn;
    private uint _hand;

    /// <summary>Values that were encoded, not taken from the table.</summary>
    public long Encoded => Volatile.Read(ref _encoded);

    /// <summary>Bytes of the texts and values in the table.</summary>
    public long HeldBytes => Volatile.Read(ref _heldBytes);

    /// <summary>All members of an entry behind its node, with the closing brace.</summary>
    /// <param name="change">The caller holds a reference to its value.</param>
    public byte[] TextOf(in StreamChange change)
    {
        var current = format.Current;
        return change.Status != change.Value.Status
            ? Encode(change, form: null, current)
            : Find(change, form: null, current);
    }

    /// <summary>The whole object of an event.</summary>
    /// <param name="change">As above.</param>
    /// <param name="form">Of the stream: it belongs to the filter by which the fields were selected.</param>
    public byte[] TextOf(in StreamChange change, EventForm form) => Find(change, form, format.Current);

    /// <summary>Gives all values back.</summary>
    public void Clear()
    {
        foreach (ref var place in _entries.AsSpan())
            GiveBack(Interlocked.Exchange(ref place, null));
    }

    private byte[] Find(in StreamChange change, EventForm? form, JsonFormat current)
    {
        var value = change.Value;
        var set = SetOf(value);
        foreach (ref var place in set)
        {
            // It was in the table a moment ago, when the caller had its reference: it is of this value, not of one that
            // the same object was before. A text by other DataTypes than there are now is not used.
            if (Volatile.Read(ref place) is { } known && ReferenceEquals(known.Value, value) &&
                ReferenceEquals(known.Format, current))
                return known.Text;
        }

        var text = Encode(change, form, current);
        var entry = new Entry(value, text, current);
        if (entry.Bytes <= limits.MaxHttpStreamCacheBytes)
            Keep(entry, set);
        return text;
    }

    private Span<Entry?> SetOf(SharedValue value)
    {
        const int sets = Places / PlacesPerSet;
        return _entries.AsSpan(RuntimeHelpers.GetHashCode(value) % sets * PlacesPerSet, PlacesPerSet);
    }

    private void Keep(Entry entry, Span<Entry?> set)
    {
        // Room first, one after the other. Others may fill it again: no more than a round of the table is spent on it.
        Interlocked.Add(ref _heldBytes, entry.Bytes);
        for (var i = 0; i < Places && HeldBytes > limits.MaxHttpStreamCacheBytes; i++)
            GiveBack(Interlocked.Exchange(ref _entries[Interlocked.Increment(ref _hand) % Places], null));
        entry.Value.AddReference();
        foreach (ref var place in set)
        {
            if (Interlocked.CompareExchange(ref place, entry, null) is null)
                return;
        }

        GiveBack(Interlocked.Exchange(ref set[(int)(Interlocked.Increment(ref _turn) % PlacesPerSet)], entry));
    }

    private void GiveBack(Entry? entry)
    {
        if (entry is null)
            return;
        Interlocked.Add(ref _heldBytes, -entry.Bytes);
        entry.Value.Release();
    }

    private byte[] Encode(in StreamChange change, EventForm? form, JsonFormat current)
    {
        Interlocked.Increment(ref _encoded);
        var writer = UaJsonWriter.Rent(current);
        if (form is null)
        {
            writer.StartObject();
            ValueJson.WriteRest(writer, change.Value, change.Status, knownAt: default);
        }
        else
        {
            form.Write(writer, change.Value);
        }

        if (writer.Failed)
        {
            var status = writer.Status;
            writer.Reset();
            writer.StartObject();
            StatusText.Write(writer, status);
            writer.EndObject();
        }

        // A value is without the opening brace: the node stands there.
        var text = writer.WrittenSpan[(form is null ? 1 : 0)..].ToArray();
        writer.Return();
        return text;
    }

    private sealed record Entry(SharedValue Value, byte[] Text, JsonFormat Format)
    {
        public long Bytes { get; } = Text.Length + Value.LargeBytes;
    }
}
