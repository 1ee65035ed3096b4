using System.Net.Sockets;
using Gateway.Loadtest.Checks;

namespace Gateway.Loadtest.Scenarios.Rest;

/// <summary>One request under way on a connection, again and again. Counts may be read from others as they stand.
/// </summary>
internal sealed class RestCaller(HttpWire wire, IRestLoad load) : IDisposable
{
    private long _requests;

    public long Requests => Volatile.Read(ref _requests);

    /// <summary>Answers that are not what they have to be.</summary>
    public long Bad { get; private set; }

    /// <summary>Why the connection ended before its time; null: it did not.</summary>
    public string? Lost { get; private set; }

    /// <summary>Null: the round trip is not measured.</summary>
    public volatile Histogram? RoundTrip;

    public async Task RunAsync(CancellationToken end)
    {
        var time = TimeProvider.System;
        try
        {
            while (!end.IsCancellationRequested)
            {
                var since = time.GetTimestamp();
                await wire.AskAsync(load.Next(), CancellationToken.None);
                RoundTrip?.Add(time.GetElapsedTime(since).TotalMilliseconds);
                Bad += load.Check(wire) ? 0 : 1;
                Volatile.Write(ref _requests, _requests + 1);
            }
        }
        catch (Exception error) when (error is SocketException or IOException or ObjectDisposedException)
        {
            Lost = error.Message;
        }
    }

    public void Dispose() => wire.Dispose();
}
