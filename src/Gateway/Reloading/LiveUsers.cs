using Gateway.Admission;
using Gateway.Host.Configuration;
using Gateway.Server;
using Gateway.Server.Management;
using Gateway.Server.Users;
using Gateway.Transport.Timing;

namespace Gateway.Host.Reloading;

/// <summary>Users who come, go or get other roles while the gateway runs. Sessions go on with the roles of now; those
/// of users who have gone end at half of the rate at which their clients can come back.</summary>
internal sealed partial class LiveUsers(
    UserDirectory users, SessionDirectory sessions, GatewayServer server, AdmissionControl admission,
    ILogger<LiveUsers> logger) : ILivePart
{
    private const double LeastPerSecond = 10;

    private readonly ILogger _logger = logger;

    public IReadOnlyList<string> Sections { get; } = ["Users", "Anonymous", "Pki:TrustedUserRoles"];

    public ValueTask ApplyAsync(GatewayOptions next, CancellationToken cancellation)
    {
        var options = next.Get<UserOptions>();
        users.Apply(options);
        server.FollowUsers(
            options.AnonymousRoles is not null, options.Accounts.Any(static user => user.Password is not null));
        // Nobody has a right any more that he lost. The end of many sessions takes minutes, and no reload waits for it.
        var (changed, kept, ending) = sessions.ReviewUsers(
            Math.Max(LeastPerSecond, admission.Rate.PerSecond / 2), cancellation);
        if (kept > 0)
            LogKept(kept);
        _ = FollowAsync(changed, ending, cancellation);
        return ValueTask.CompletedTask;
    }

    private async Task FollowAsync(int changed, Task<int> ending, CancellationToken cancellation)
    {
        try
        {
            var ended = await ending.ConfigureAwait(false);
            if (changed + ended > 0)
                LogReviewed(changed, ended);
        }
        catch (OperationCanceledException) when (cancellation.IsCancellationRequested)
        {
            // The stop of the gateway ends all sessions.
        }
#pragma warning disable CA1031 // Nobody waits for it.
        catch (Exception error)
#pragma warning restore CA1031
        {
            Contained.Report(error, LogEndFailed);
        }
    }

    [LoggerMessage(
        EventId = 5508, Level = LogLevel.Information,
        Message = "The users of the configuration have changed: {Changed} sessions go on with other roles, {Ended} "
            + "ended because their user is no longer configured")]
    private partial void LogReviewed(int changed, int ended);

    [LoggerMessage(
        EventId = 5533, Level = LogLevel.Warning,
        Message = "{Count} durable subscriptions belong to users who are no longer configured. They wait for their "
            + "users, with what they have queued, until their lifetime is over")]
    private partial void LogKept(int count);

    [LoggerMessage(
        EventId = 5510, Level = LogLevel.Error,
        Message = "Ending the sessions of users who are no longer configured failed; they have no rights")]
    private partial void LogEndFailed(Exception exception);
}
