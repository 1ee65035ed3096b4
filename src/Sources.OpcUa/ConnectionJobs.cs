using Gateway.Client;

namespace Gateway.Sources.OpcUa;

/// <summary>The loops that run as long as a connection does.</summary>
internal static class ConnectionJobs
{
    /// <summary>Ends with the first that fails, or with all of them.</summary>
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
