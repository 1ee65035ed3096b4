using System.Buffers;
using System.Globalization;
using System.Text;
using Gateway.Codec.Types;
using Gateway.Publish.Streams;

namespace Gateway.Rest.Streams;

/// <summary>Writes events: <c>id: key-1</c>, <c>event: values</c>, <c>data: {"values":[…],"skipped":0}</c>. The JSON
/// has no line break in it. A batch becomes several events where it is large: no more than <see cref="EventBytes"/>
/// and one value are held. A text is valid until the next is written. Owner: one connection. Source: the HTML standard,
/// "Server-sent events".</summary>
internal sealed class EventWriter(LiveStream stream, EncodedValues encoded)
{
    private const int EventBytes = 32 * 1024;
    private const int FirstBytes = 1024;

    private ArrayBufferWriter<byte> _text = new(FirstBytes);

    public static byte[] Heartbeat { get; } = ":\n\n"u8.ToArray();

    /// <summary>The time after which a disconnected client reconnects.</summary>
    public static byte[] RetryAfter(int milliseconds) =>
        Encoding.ASCII.GetBytes(string.Create(CultureInfo.InvariantCulture, $"retry: {milliseconds}\n\n"));

    /// <summary>The last event: the client may come back with other credentials.</summary>
    /// <param name="status">Why.</param>
    /// <param name="detail">In words of ours, which need no escape.</param>
    public static byte[] End(StatusCode status, string detail) => Encoding.ASCII.GetBytes(
        $"event: end\ndata: {{\"statusCode\":\"{status}\",\"detail\":\"{detail}\"}}\n\n");

    /// <summary>The next event of a batch; the first tells what was skipped.</summary>
    /// <param name="batch">With changes from there on.</param>
    /// <param name="next">The first of the event, then the first of the one behind it.</param>
    public ReadOnlyMemory<byte> Write(StreamBatch batch, ref int next)
    {
        var skipped = next == 0 ? batch.Skipped : 0;
        Begin();
        for (var isFirst = true; next < batch.Count && _text.WrittenCount < EventBytes; next++, isFirst = false)
        {
            ref readonly var change = ref batch.Changes[next];
            Add(change.Handle, encoded.TextOf(change), isFirst);
        }

        return End(skipped);
    }

    /// <summary>Of the nodes that cannot be watched.</summary>
    public ReadOnlyMemory<byte> WriteRefused()
    {
        Begin();
        var isFirst = true;
        foreach (var (handle, status) in stream.Refused)
        {
            Add(handle, Encoding.ASCII.GetBytes($"\"status\":\"{status}\"}}"), isFirst);
            isFirst = false;
        }

        return End(skipped: 0);
    }

    private void Begin()
    {
        _text.ResetWrittenCount();
        Encoding.ASCII.GetBytes(
            string.Create(
                CultureInfo.InvariantCulture, $"id: {stream.Key}-{stream.History.Last + 1}\nevent: values\ndata: "),
            _text);
        _text.Write("{\"values\":["u8);
    }

    private void Add(uint handle, byte[] rest, bool isFirst)
    {
        if (!isFirst)
            _text.Write(","u8);
        _text.Write(stream.PrefixOf(handle));
        _text.Write(rest);
    }

    private ReadOnlyMemory<byte> End(long skipped)
    {
        Encoding.ASCII.GetBytes(
            string.Create(CultureInfo.InvariantCulture, $"],\"skipped\":{skipped}}}\n\n"), _text);
        var text = _text.WrittenMemory;
        // A buffer that a large value has enlarged is not kept.
        if (_text.Capacity > 4 * EventBytes)
            _text = new ArrayBufferWriter<byte>(FirstBytes);
        return text;
    }
}
