using Gateway.Client;
using Gateway.Codec.Types;

namespace Gateway.Sources.OpcUa.Sessions;

/// <summary>The jobs on one connection.</summary>
internal static class LinkJobs
{
    /// <summary>Until one of them fails, or all have ended.</summary>
    public static async Task WhenFailedAsync(Task[] jobs)
    {
        await foreach (var job in Task.WhenEach(jobs).ConfigureAwait(false))
        {
            if (!job.IsCompletedSuccessfully)
                return;
        }
    }

    /// <param name="jobs">They end.</param>
    /// <param name="closed">The end of the connection: a server may have given any reason, and requests fail with it.
    /// </param>
    /// <returns>Why: null where the connection's end alone is the reason. IsLost: a job has met that end; it may learn
    /// of it before the session says so.</returns>
    public static async ValueTask<(Exception? Why, bool IsLost)> DrainAsync(Task[] jobs, Task<StatusCode> closed)
    {
        Exception? why = null;
        var isLost = false;
        foreach (var job in jobs)
        {
            await job.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            if (job.Exception?.InnerException is ServiceException failed && (failed.IsConnectionLost ||
                (closed.IsCompleted && failed.Status == await closed.ConfigureAwait(false))))
                isLost = true;
            else if (job.Exception?.InnerException is { } failure)
                why ??= failure;
        }

        return (why, isLost);
    }
}
