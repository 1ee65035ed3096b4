using System.Buffers;
using System.Globalization;
using System.Text;
using Gateway.Codec.Types;
using Gateway.Publish.Streams;

namespace Gateway.Rest.Streams;

/// <summary>Writes events: <c>id: key-1</c>, <c>event: values</c>, <c>data: {"values":[…],"skipped":0}</c>; a stream of
/// OPC UA events has <c>events</c> in both places. The JSON has no line break in it. A batch becomes several events
/// where it is large: no more than <see cref="EventBytes"/> and one value are held. A text is valid until the next is
/// written. Owner: one connection. Source: the HTML standard, "Server-sent events".</summary>
internal sealed class EventWriter(LiveStream stream, EncodedValues encoded)
{
    private const int EventBytes = 32 * 1024;
    private const int FirstBytes = 1024;

    private readonly byte[] _list = stream.Form is null ? "values"u8.ToArray() : "events"u8.ToArray();
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

    /// <summary>The next event of a batch; the first tells what was skipped. Empty: nothing is left to be told.
    /// </summary>
    /// <param name="batch">With changes from there on.</param>
    /// <param name="next">The first of the event, then the first of the one behind it.</param>
    public ReadOnlyMemory<byte> Write(StreamBatch batch, ref int next)
    {
        var skipped = next == 0 ? batch.Skipped : 0;
        var lost = 0L;
        Begin();
        var isFirst = true;
        for (; next < batch.Count && _text.WrittenCount < EventBytes; next++)
        {
            ref readonly var change = ref batch.Changes[next];
            if (stream.Form is null)
            {
                Add(change.Handle, encoded.TextOf(change), isFirst);
                isFirst = false;
            }
            else if (EventEntry.Of(stream, change, encoded, ref lost) is { } text)
            {
                Add(text, isFirst);
                isFirst = false;
            }
        }

        // The queue has counted what it lost; what the gateway lost before that has a notice alone.
        skipped = Math.Max(skipped, lost);
        return isFirst && skipped == 0 ? default : End(skipped);
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

    /// <summary>The client has missed events, and nobody knows how many.</summary>
    public ReadOnlyMemory<byte> WriteLost()
    {
        Begin();
        return End(skipped: 1);
    }

    private void Begin()
    {
        _text.ResetWrittenCount();
        Encoding.ASCII.GetBytes(
            string.Create(CultureInfo.InvariantCulture, $"id: {stream.Key}-{stream.History.Last + 1}\nevent: "),
            _text);
        _text.Write(_list);
        _text.Write("\ndata: {\""u8);
        _text.Write(_list);
        _text.Write("\":["u8);
    }

    private void Add(uint handle, byte[] rest, bool isFirst)
    {
        Add(stream.PrefixOf(handle), isFirst);
        _text.Write(rest);
    }

    private void Add(ReadOnlySpan<byte> text, bool isFirst)
    {
        if (!isFirst)
            _text.Write(","u8);
        _text.Write(text);
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
