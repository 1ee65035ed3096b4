using Gateway.Admission;
using Gateway.Host.Configuration;
using Gateway.Server;
using Gateway.Server.Management;
using Gateway.Server.Users;

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

    public async ValueTask ApplyAsync(GatewayOptions next, CancellationToken cancellation)
    {
        var options = next.Get<UserOptions>();
        users.Apply(options);
        server.FollowUsers(
            options.AnonymousRoles is not null, options.Accounts.Any(static user => user.Password is not null));
        var (changed, ended) = await sessions.ReviewUsersAsync(
            Math.Max(LeastPerSecond, admission.Rate.PerSecond / 2), cancellation).ConfigureAwait(false);
        if (changed + ended > 0)
            LogReviewed(changed, ended);
    }

    [LoggerMessage(
        EventId = 5508, Level = LogLevel.Information,
        Message = "The users of the configuration have changed: {Changed} sessions go on with other roles, {Ended} "
            + "ended because their user is no longer configured")]
    private partial void LogReviewed(int changed, int ended);
}
