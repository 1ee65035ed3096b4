using Gateway.Codec.Pooling;
using Gateway.Publish.Streams;
using Gateway.Rest.Streams;

namespace Gateway.Rest.Sockets;

/// <summary>Writes <c>{"op":"events","events":[…],"skipped":0}</c> into pooled memory, from the texts that all streams
/// with the same filter share. Owner: one WebSocket's stream.</summary>
internal sealed class LiveEventTexts(LiveStream stream, EncodedValues encoded) : ILiveTexts
{
    private const int EventBytes = 32 * 1024;

    private readonly PooledBuffer _text = new(limitBytes: Array.MaxLength);

    public ReadOnlyMemory<byte> Text => _text.WrittenMemory;

    public bool Write(StreamBatch batch, ref int next)
    {
        var skipped = next == 0 ? batch.Skipped : 0;
        var lost = 0L;
        _text.Reset();
        _text.Write("{\"op\":\"events\",\"events\":["u8);
        var count = 0;
        for (; next < batch.Count && _text.Length < EventBytes; next++)
        {
            ref readonly var change = ref batch.Changes[next];
            if (EventEntry.Of(stream, change, encoded, ref lost) is not { } entry)
                continue;
            if (count++ > 0)
                _text.Write(","u8);
            _text.Write(entry);
        }

        skipped = Math.Max(skipped, lost);
        LiveEvents.EndWith(_text, skipped);
        return count > 0 || skipped > 0;
    }

    public void Dispose() => _text.Dispose();
}
