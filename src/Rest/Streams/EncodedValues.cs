using System.Runtime.CompilerServices;
using Gateway.AddressSpace.Values;
using Gateway.Codec.Json;
using Gateway.Publish.Streams;
using Gateway.Rest.Answers;
using Gateway.Rest.Values;

namespace Gateway.Rest.Streams;

/// <summary>The JSON of values that streams have sent last: a change is encoded once for all who watch the node. Shape:
/// a table by the value's object; an entry holds a reference, so the object means no other value as long as the entry
/// is in the table. When its bytes reach their limit, all entries go. Threads: any, without a lock.</summary>
internal sealed class EncodedValues(RestFormat format, RestLimits limits)
{
    private const int Places = 16 * 1024;

    private readonly Entry?[] _entries = new Entry?[Places];
    private long _heldBytes;
    private long _encoded;

    /// <summary>Values that were encoded, not taken from the table.</summary>
    public long Encoded => Volatile.Read(ref _encoded);

    /// <summary>Of the texts and the values in the table.</summary>
    public long HeldBytes => Volatile.Read(ref _heldBytes);

    /// <summary>All members of an entry behind its node, with the closing brace.</summary>
    /// <param name="change">The caller holds a reference to its value.</param>
    public byte[] TextOf(in StreamChange change)
    {
        var value = change.Value;
        if (change.Status != value.Status)
            return Encode(change);
        ref var place = ref _entries[RuntimeHelpers.GetHashCode(value) % Places];
        // It was in the table a moment ago, when the caller had its reference: it is of this value, not of one that the
        // same object was before.
        if (Volatile.Read(ref place) is { } known && ReferenceEquals(known.Value, value))
            return known.Text;
        var text = Encode(change);
        var entry = new Entry(value, text);
        if (Interlocked.Add(ref _heldBytes, entry.Bytes) > limits.MaxHttpStreamCacheBytes)
            Clear();
        value.AddReference();
        GiveBack(Interlocked.Exchange(ref place, entry));
        return text;
    }

    /// <summary>Gives all values back.</summary>
    public void Clear()
    {
        for (var i = 0; i < Places; i++)
            GiveBack(Interlocked.Exchange(ref _entries[i], null));
    }

    private void GiveBack(Entry? entry)
    {
        if (entry is null)
            return;
        Interlocked.Add(ref _heldBytes, -entry.Bytes);
        entry.Value.Release();
    }

    private byte[] Encode(in StreamChange change)
    {
        Interlocked.Increment(ref _encoded);
        var writer = UaJsonWriter.Rent(format.Current);
        writer.StartObject();
        ValueJson.WriteRest(writer, change.Value, change.Status, knownAt: default);
        if (writer.Failed)
        {
            var status = writer.Status;
            writer.Reset();
            writer.StartObject();
            StatusText.Write(writer, status);
            writer.EndObject();
        }

        // Without the opening brace: the node stands there.
        var text = writer.WrittenSpan[1..].ToArray();
        writer.Return();
        return text;
    }

    private sealed record Entry(SharedValue Value, byte[] Text)
    {
        public long Bytes { get; } = Text.Length + Value.LargeBytes;
    }
}
