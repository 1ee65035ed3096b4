using Gateway.Client;

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

    /// <returns>Why: null where the connection's end alone is the reason. IsLost: a job has met that end; it may learn
    /// of it before the session says so.</returns>
    public static async ValueTask<(Exception? Why, bool IsLost)> DrainAsync(Task[] jobs)
    {
        Exception? why = null;
        var isLost = false;
        foreach (var job in jobs)
        {
            await job.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            if (job.Exception?.InnerException is ServiceException { IsConnectionLost: true })
                isLost = true;
            else if (job.Exception?.InnerException is { } failure)
                why ??= failure;
        }

        return (why, isLost);
    }
}
