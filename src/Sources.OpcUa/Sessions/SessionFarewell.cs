using Gateway.Client;

namespace Gateway.Sources.OpcUa.Sessions;

/// <summary>At a stop no session of ours stays at an upstream, where that can be done soon.</summary>
internal static class SessionFarewell
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(2);

    /// <param name="leave">Closes it. Errors: ServiceException.</param>
    /// <param name="time">Of the patience.</param>
    public static async ValueTask SayAsync(Func<CancellationToken, ValueTask> leave, TimeProvider time)
    {
        using var patience = new CancellationTokenSource(Patience, time);
        try
        {
            await leave(patience.Token).ConfigureAwait(false);
        }
        catch (Exception failure) when (failure is ServiceException or OperationCanceledException)
        {
            // Out of reach: it ends by its time-out.
        }
    }
}
