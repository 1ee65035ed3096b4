using Gateway.Client;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Loadtest.Checks;

namespace Gateway.Loadtest.Observers;

/// <summary>Reads of the live sessions, each on its own grid: how long every answer took, and which did not come.
/// Threads: one begins, the clients' threads add.</summary>
internal sealed class LiveReads
{
    private readonly TimeProvider _time = TimeProvider.System;
    private long _failed;
    private string _firstFailure = string.Empty;

    public Histogram Times { get; } = new();

    public long Failed => Interlocked.Read(ref _failed);

    public string FirstFailure => Volatile.Read(ref _firstFailure);

    /// <param name="sessions">Each reads.</param>
    /// <param name="node">Its Value.</param>
    /// <param name="everyMs">0: no reads.</param>
    /// <param name="end">No more Reads begin.</param>
    public Task RunAsync(IReadOnlyList<ClientSession> sessions, NodeId node, int everyMs, CancellationToken end)
    {
        return everyMs == 0
            ? Task.CompletedTask
            : Task.WhenAll(sessions.Select(session => RunAsync(session, node, everyMs, end)).ToArray());
    }

    private async Task RunAsync(ClientSession session, NodeId node, int everyMs, CancellationToken end)
    {
        // A request belongs to one call at a time, so each session has its own.
        var request = new ReadRequest
        {
            NodesToRead = [new ReadValueId { NodeId = node, AttributeId = (uint)AttributeId.Value }],
        };
        // Not all at the same moment.
        await PauseAsync(Random.Shared.NextDouble() * everyMs, end);
        while (!end.IsCancellationRequested)
        {
            var since = _time.GetTimestamp();
            try
            {
                var response = await session.InvokeAsync<ReadRequest, ReadResponse>(request, CancellationToken.None);
                if (response.Results is [{ Status.IsBad: false }])
                    Times.Add(_time.GetElapsedTime(since).TotalMilliseconds);
                else
                    Fail(response.Results is [var one] ? one.Status.ToString() : "no result");
            }
            catch (ServiceException refused)
            {
                Fail(refused.Message);
                if (!session.IsOpen)
                    return;
            }

            await PauseAsync(everyMs - _time.GetElapsedTime(since).TotalMilliseconds, end);
        }
    }

    private void Fail(string why)
    {
        Interlocked.Increment(ref _failed);
        Interlocked.CompareExchange(ref _firstFailure, why, string.Empty);
    }

    private static async Task PauseAsync(double ms, CancellationToken end)
    {
        if (ms > 0)
            await Task.Delay(TimeSpan.FromMilliseconds(ms), end).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
    }
}
