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

    /// <returns>Null where the connection's end alone is the reason.</returns>
    public static async ValueTask<Exception?> DrainAsync(Task[] jobs)
    {
        Exception? why = null;
        foreach (var job in jobs)
        {
            await job.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            if (job.Exception?.InnerException is { } failure and not ServiceException { IsConnectionLost: true })
                why ??= failure;
        }

        return why;
    }
}
