using System.Buffers.Text;
using System.Globalization;
using System.Net.Sockets;
using System.Text;
using Gateway.Loadtest.Checks;

namespace Gateway.Loadtest.Scenarios.Rest.Streams;

/// <summary>One client of a stream: every value is a counter and is checked. Owner: one task; counts may be read from
/// others as they stand.</summary>
internal sealed class StreamViewer : IDisposable
{
    private const int Ok = 200;

    private readonly HttpTarget _target;
    private readonly StreamTags _tags;
    private readonly double _intervalMs;
    private readonly Recorder _recorder;
    private readonly TimeProvider _time = TimeProvider.System;
    private readonly EventReader _reader = new();
    private readonly TaskCompletionSource _first = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private Socket? _socket;
    private CycleClock _clock;
    private bool _isEnded;

    public StreamViewer(HttpTarget target, StreamTags tags, double intervalMs, Recorder recorder)
    {
        (_target, _tags, _intervalMs, _recorder) = (target, tags, intervalMs, recorder);
        Counters = new CounterCheck(tags.Count);
    }

    public CounterCheck Counters { get; }

    public long Events { get; private set; }

    /// <summary>Values that the server says it left out.</summary>
    public long Skipped { get; private set; }

    /// <summary>Why it ended before its time; null: it did not.</summary>
    public string? Lost { get; private set; }

    public double DriftMs => _clock.DriftMs;

    /// <summary>From the request to the first event.</summary>
    public double FirstMs { get; private set; } = double.NaN;

    /// <summary>Returns with the first event. Errors: SocketException; IOException where it is refused.</summary>
    /// <param name="number">Chooses its address.</param>
    /// <param name="cancellation">Ends the waiting.</param>
    public async Task StartAsync(int number, CancellationToken cancellation)
    {
        _socket = new Socket(_target.Address.AddressFamily, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        if (_target.SourceOf(number) is { } from)
            _socket.Bind(new System.Net.IPEndPoint(from, 0));
        await _socket.ConnectAsync(_target.Address, cancellation);
        var body = RestPart.BodyOf(_tags.Ids).TrimEnd('}') +
            $",\"interval\":{_intervalMs.ToString(CultureInfo.InvariantCulture)}}}";
        var since = _time.GetTimestamp();
        await _socket.SendAsync(_target.Send("POST", "/stream", body), cancellation);
        _ = RunAsync(since);
        await _first.Task.WaitAsync(cancellation);
    }

    /// <summary>Nothing that comes from here on counts.</summary>
    public void Dispose()
    {
        _isEnded = true;
        _socket?.Dispose();
    }

    private async Task RunAsync(long since)
    {
        try
        {
            while (true)
            {
                var count = await _socket!.ReceiveAsync(_reader.Free, SocketFlags.None);
                if (count == 0)
                    throw new IOException("the server ended the stream");
                _reader.Arrived(count, Take);
                if (_reader.Status is not (0 or Ok))
                    throw new IOException($"the stream is refused with {_reader.Status}");
                if (double.IsNaN(FirstMs) && Events > 0)
                {
                    FirstMs = _time.GetElapsedTime(since).TotalMilliseconds;
                    _first.TrySetResult();
                }
            }
        }
        catch (Exception error) when (
            error is SocketException or IOException or InvalidDataException or ObjectDisposedException)
        {
            if (!_isEnded)
                Lost = error.Message;
            _first.TrySetException(new IOException(error.Message));
        }
    }

    /// <summary>Comments and the time of reconnection are no events of values.</summary>
    private void Take(ReadOnlySpan<byte> text)
    {
        var data = text.IndexOf("data: "u8);
        if (data < 0)
            return;
        Events++;
        Measure();
        text = text[(data + "data: ".Length)..];
        if (TryReadNumber(text, "\"skipped\":"u8, last: true, out var skipped))
            Skipped += (long)skipped;
        var now = _time.GetUtcNow().UtcDateTime;
        var isFirst = true;
        for (var at = text.IndexOf("{\"node\":\""u8); at >= 0; at = text.IndexOf("{\"node\":\""u8))
        {
            text = text[(at + "{\"node\":\"".Length)..];
            var end = text.IndexOf((byte)'}');
            var entry = end < 0 ? text : text[..end];
            Add(entry);
            if (isFirst && _recorder.IsMeasuring && SourceOf(entry) is { } source)
                _recorder.Latency.Add((now - source).TotalMilliseconds);
            isFirst = false;
        }
    }

    private void Measure()
    {
        var part = _recorder.Part;
        var nowMs = 1000.0 * _time.GetTimestamp() / _time.TimestampFrequency;
        if (part == MeasurePart.Settling)
        {
            _clock.Settle(nowMs, _intervalMs);
        }
        else if (part != MeasurePart.Opening)
        {
            var late = _clock.Measure(nowMs, _intervalMs, part);
            if (!double.IsNaN(late))
                _recorder.Lateness.Add(late);
        }
    }

    private void Add(ReadOnlySpan<byte> entry)
    {
        if (_tags.TryFind(entry[..entry.IndexOf((byte)'"')], out var handle) &&
            entry.IndexOf("\"status\":\"Good\""u8) > 0 &&
            TryReadNumber(entry, "\"value\":"u8, last: false, out var value))
            Counters.Add(handle, value);
        else
            Counters.AddUnknown();
    }

    private static bool TryReadNumber(ReadOnlySpan<byte> text, ReadOnlySpan<byte> name, bool last, out double value)
    {
        var at = last ? text.LastIndexOf(name) : text.IndexOf(name);
        value = 0;
        return at >= 0 && Utf8Parser.TryParse(text[(at + name.Length)..], out value, out _);
    }

    private static DateTime? SourceOf(ReadOnlySpan<byte> entry)
    {
        var at = entry.IndexOf("\"sourceTimestamp\":\""u8);
        if (at < 0)
            return null;
        entry = entry[(at + "\"sourceTimestamp\":\"".Length)..];
        var text = Encoding.ASCII.GetString(entry[..entry.IndexOf((byte)'"')]);
        return DateTime.TryParse(
            text, CultureInfo.InvariantCulture, DateTimeStyles.AdjustToUniversal, out var time) ? time : null;
    }
}
