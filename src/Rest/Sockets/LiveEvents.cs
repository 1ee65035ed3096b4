using System.Buffers.Text;
using Gateway.Codec.Pooling;
using Gateway.Publish.Streams;
using Gateway.Rest.Streams;

namespace Gateway.Rest.Sockets;

/// <summary>Writes <c>{"op":"values","values":[…],"skipped":0}</c> into pooled memory, from the texts that all who
/// watch a node share. A batch becomes several messages where it is large. Owner: one WebSocket's stream; at rest it
/// holds nothing.</summary>
internal sealed class LiveEvents(LiveItems items, EncodedValues encoded) : ILiveTexts
{
    private const int EventBytes = 32 * 1024;

    private readonly PooledBuffer _text = new(limitBytes: Array.MaxLength);

    public ReadOnlyMemory<byte> Text => _text.WrittenMemory;

    public bool Write(StreamBatch batch, ref int next)
    {
        var skipped = next == 0 ? batch.Skipped : 0;
        _text.Reset();
        _text.Write("{\"op\":\"values\",\"values\":["u8);
        var count = 0;
        for (; next < batch.Count && _text.Length < EventBytes; next++)
        {
            ref readonly var change = ref batch.Changes[next];
            // It was given up while the batch was on its way.
            if (items.PrefixOf(change.Handle) is not { } prefix)
                continue;
            if (count++ > 0)
                _text.Write(","u8);
            _text.Write(prefix);
            _text.Write(encoded.TextOf(change));
        }

        EndWith(_text, skipped);
        return count > 0 || skipped > 0;
    }

    /// <summary><c>],"skipped":0}</c>.</summary>
    public static void EndWith(PooledBuffer text, long skipped)
    {
        text.Write("],\"skipped\":"u8);
        Span<byte> digits = stackalloc byte[20];
        Utf8Formatter.TryFormat(skipped, digits, out var length);
        text.Write(digits[..length]);
        text.Write("}"u8);
    }

    public void Dispose() => _text.Dispose();
}
