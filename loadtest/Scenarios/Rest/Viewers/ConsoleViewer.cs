using System.Buffers.Text;
using System.Net.Sockets;
using System.Text.Json;
using Gateway.Loadtest.Checks;

namespace Gateway.Loadtest.Scenarios.Rest.Viewers;

/// <summary>A page of the console that somebody has open: its polls, each on a connection of its own as a browser has
/// several. As a browser does, it opens one when it has something to ask, and another where the gateway has ended one
/// that was idle. Counts may be read from others as they stand.</summary>
internal sealed class ConsoleViewer(HttpTarget target, ConsolePage page, int number) : IAsyncDisposable
{
    private const int Ok = 200;

    private readonly CancellationTokenSource _end = new();
    private StreamWire? _stream;
    private Task _running = Task.CompletedTask;
    private long _requests;
    private long _bytes;
    private long _wrong;

    public long Requests => Volatile.Read(ref _requests);

    /// <summary>Of the answers' bodies, and of the stream.</summary>
    public long Bytes => Volatile.Read(ref _bytes) + (_stream?.Bytes ?? 0);

    /// <summary>Answers that are not 200.</summary>
    public long Wrong => Volatile.Read(ref _wrong);

    /// <summary>Why a connection ended before its time; null: none did.</summary>
    public string? Lost { get; private set; }

    /// <summary>Null: the round trip is not measured.</summary>
    public volatile Histogram? RoundTrip;

    /// <summary>Errors: SocketException.</summary>
    /// <param name="share">Of each interval that the first requests wait, from 0 to 1: people open pages at different
    /// times.</param>
    /// <param name="cancellation">Ends the connecting.</param>
    public async Task StartAsync(double share, CancellationToken cancellation)
    {
        if (page.HasStream)
            _stream = await StreamWire.StartAsync(target, number, cancellation);
        _running = Task.WhenAll(page.Polls.Select(poll => Task.Run(
            () => PollAsync(poll, share), CancellationToken.None)));
    }

    public async ValueTask DisposeAsync()
    {
        await _end.CancelAsync();
        _stream?.Dispose();
        await _running;
        _end.Dispose();
    }

    private async Task PollAsync(ConsolePoll poll, double share)
    {
        var path = poll.Path;
        var pause = TimeSpan.FromSeconds(poll.Seconds);
        HttpWire? wire = null;
        try
        {
            await Task.Delay(pause * share, _end.Token);
            while (!_end.IsCancellationRequested)
            {
                if (wire is null || wire.IsEnded)
                {
                    wire?.Dispose();
                    wire = await HttpWire.ConnectAsync(target.Address, target.SourceOf(number), _end.Token);
                }

                await AskAsync(wire, path);
                if (poll.IsSince && SequenceOf(wire.RawBody) is { } sequence)
                    path = FormattableString.Invariant($"{poll.Path}?since={sequence}");
                for (var next = poll.IsWhole ? NextOf(wire) : null; next is not null; next = NextOf(wire))
                    await AskAsync(wire, $"{poll.Path}&cursor={Uri.EscapeDataString(next)}");
                await Task.Delay(pause, _end.Token);
            }
        }
        catch (Exception error) when (
            error is SocketException or IOException or ObjectDisposedException or OperationCanceledException)
        {
            if (!_end.IsCancellationRequested)
                Lost = error.Message;
        }
        finally
        {
            wire?.Dispose();
        }
    }

    private async Task AskAsync(HttpWire wire, string path)
    {
        var time = TimeProvider.System;
        var since = time.GetTimestamp();
        await wire.AskAsync(target.Get(path), _end.Token);
        RoundTrip?.Add(time.GetElapsedTime(since).TotalMilliseconds);
        Interlocked.Increment(ref _requests);
        Interlocked.Add(ref _bytes, wire.RawBody.Length);
        if (wire.Status != Ok)
            Interlocked.Increment(ref _wrong);
    }

    /// <summary>Of a page of a list; null: it was the last one.</summary>
    private static string? NextOf(HttpWire wire)
    {
        if (wire.Status != Ok || wire.RawBody.LastIndexOf("\"next\":\""u8) < 0)
            return null;
        using var json = JsonDocument.Parse(wire.ReadBody());
        return json.RootElement.TryGetProperty("next", out var next) ? next.GetString() : null;
    }

    private static long? SequenceOf(ReadOnlySpan<byte> body)
    {
        var name = "\"sequence\":"u8;
        var at = body.IndexOf(name);
        return at >= 0 && Utf8Parser.TryParse(body[(at + name.Length)..], out long sequence, out _) ? sequence : null;
    }
}
