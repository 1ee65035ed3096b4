using Gateway.Client;
using Gateway.Codec.Text;
using Gateway.Codec.Types;
using Gateway.Sources.OpcUa.Sessions;
using Gateway.Sources.Upstreams;
using Microsoft.Extensions.Logging;

namespace Gateway.Sources.OpcUa.Redundancy;

/// <summary>
/// Several servers that stand in for each other, as one upstream (non-transparent redundancy, Part 4 §6.6.2.4). It
/// begins with the first that is Healthy, else with the best; stays with it while it is Healthy; and goes on with
/// another when it is out of reach or the other is in better order. Where the set is warm or hot, a session with one of
/// the others is kept ready. Thread: the connector's loop and its job of one connection, never both at once; the report
/// from any.
/// </summary>
internal sealed partial class RedundantConnection : IUpstreamConnection
{
    /// <summary>Of a lost connection: so long its session may come back before another server takes over.</summary>
    private static readonly TimeSpan ResumePatience = TimeSpan.FromSeconds(2);

    /// <summary>Between two looks at the ServiceLevels.</summary>
    private static readonly TimeSpan LookInterval = TimeSpan.FromSeconds(5);

    /// <summary>Two Degraded servers do not take turns at each change of a level.</summary>
    private static readonly TimeSpan MinimumStay = TimeSpan.FromSeconds(30);

    private readonly string _upstream;
    private readonly RedundantMember[] _members;
    private readonly TimeProvider _time;
    private readonly ILogger _log;
    private RedundantMember _active;
    private bool _wasActive;
    private long _activeSince;
    private (RedundantMember Member, IUpstreamSession Session)? _standby;
    private string _support = "";
    private string?[] _serverUris = [];
    private long _failovers;
    private volatile RedundancyReport? _report;

    public RedundantConnection(string upstream, RedundantMember[] members, TimeProvider time, ILogger log)
    {
        (_upstream, _members, _time, _log, _active) = (upstream, members, time, log, members[0]);
        Show();
    }

    public RedundancyReport? Redundancy => _report;

    public string? Address => _active.EndpointUrl;

    public async ValueTask<IUpstreamSession> ConnectAsync(CancellationToken cancellation) =>
        TakeStandby(except: null) ?? await ConnectAsync(except: null, null, cancellation).ConfigureAwait(false);

    public async ValueTask<ResumedUpstream> ResumeAsync(IUpstreamSession lost, CancellationToken cancellation)
    {
        var member = _active;
        using var patience = new CancellationTokenSource(ResumePatience, _time);
        using var both = CancellationTokenSource.CreateLinkedTokenSource(patience.Token, cancellation);
        Exception why;
        try
        {
            var resumed = await member.Connection.ResumeAsync(lost, both.Token).ConfigureAwait(false);
            member.LastError = null;
            Show();
            return resumed;
        }
        catch (OperationCanceledException) when (!cancellation.IsCancellationRequested)
        {
            why = new ServiceException(StatusCodes.BadTimeout, $"{member.EndpointUrl} does not answer");
        }
        catch (ServiceException failure)
        {
            why = failure;
        }

        Fail(member, why);
        var session = TakeStandby(except: member) ??
            await ConnectAsync(member, why, cancellation).ConfigureAwait(false);
        member.Left = lost;
        return new ResumedUpstream(session, ResumeKind.New);
    }

    public ValueTask LeaveAsync(IUpstreamSession lost, CancellationToken cancellation) =>
        _active.Connection.LeaveAsync(lost, cancellation);

    /// <summary>Looks at the servers until it is cancelled. Errors: <see cref="ServiceException"/> where another one is
    /// in better order: the next connection is with that one.</summary>
    public async Task WatchAsync(IUpstreamSession session, CancellationToken cancellation)
    {
        using var timer = new PeriodicTimer(LookInterval, _time);
        do
        {
            try
            {
                await LookAsync(session, cancellation).ConfigureAwait(false);
            }
            catch (ServiceException)
            {
                // No answer of the active one: others see that, too, and end its connection.
            }

            if (_standby is { } other && _time.GetElapsedTime(_activeSince) >= MinimumStay &&
                RedundancyFacts.RankOf(other.Member.ServiceLevel) > RedundancyFacts.RankOf(_active.ServiceLevel))
                throw new ServiceException(
                    StatusCodes.BadOutOfService,
                    $"{other.Member.EndpointUrl} is in better order (ServiceLevel {other.Member.ServiceLevel} against "
                        + $"{_active.ServiceLevel})");
        }
        while (await timer.WaitForNextTickAsync(cancellation).ConfigureAwait(false));
    }

    /// <summary>The gateway stops, or has other options for the upstream.</summary>
    public async ValueTask CloseAsync()
    {
        if (_standby is { } standby)
            await standby.Session.DisposeAsync().ConfigureAwait(false);
        _standby = null;
    }

    private async ValueTask LookAsync(IUpstreamSession session, CancellationToken cancellation)
    {
        _active.ServiceLevel =
            await RedundancyFacts.ReadServiceLevelAsync(session, cancellation).ConfigureAwait(false);
        if (_support.Length == 0)
        {
            _support = await RedundancyFacts.ReadSupportAsync(session, cancellation).ConfigureAwait(false);
            _serverUris = await RedundancyFacts.ReadServerUrisAsync(session, cancellation).ConfigureAwait(false);
        }

        await CareForStandbyAsync(cancellation).ConfigureAwait(false);
        Show();
    }

    /// <summary>Of a set that is warm or hot, and where the active server is not Healthy: a cold one has perhaps been
    /// started by now.</summary>
    private async ValueTask CareForStandbyAsync(CancellationToken cancellation)
    {
        var isWanted = RedundancyFacts.HasStandby(_support) || !RedundancyFacts.IsHealthy(_active.ServiceLevel);
        if (_standby is { } standby)
        {
            try
            {
                standby.Member.ServiceLevel = await RedundancyFacts
                    .ReadServiceLevelAsync(standby.Session, cancellation).ConfigureAwait(false);
                if (isWanted && !standby.Session.Closed.IsCompleted)
                    return;
            }
            catch (ServiceException failure)
            {
                Fail(standby.Member, failure);
            }

            _standby = null;
            await standby.Session.DisposeAsync().ConfigureAwait(false);
        }

        if (!isWanted)
            return;
        foreach (var member in From(_active))
        {
            if (member != _active && await TryOpenAsync(member, cancellation).ConfigureAwait(false) is { } opened)
            {
                _standby = (member, opened.Session);
                return;
            }
        }
    }

    /// <summary>Null: there is none, or it has ended.</summary>
    private IUpstreamSession? TakeStandby(RedundantMember? except)
    {
        if (_standby is not { } standby || standby.Member == except || standby.Session.Closed.IsCompleted)
            return null;
        _standby = null;
        Activate(standby.Member);
        return standby.Session;
    }

    /// <summary>The first that is Healthy, else the best.</summary>
    /// <param name="except">Not this one.</param>
    /// <param name="why">It is out of reach; null: nobody knows.</param>
    /// <param name="cancellation">Ends the attempt.</param>
    private async ValueTask<IUpstreamSession> ConnectAsync(
        RedundantMember? except, Exception? why, CancellationToken cancellation)
    {
        (RedundantMember Member, IUpstreamSession Session)? best = null;
        foreach (var member in From(_active))
        {
            if (member == except)
                continue;
            var (session, failure) = await OpenAsync(member, cancellation).ConfigureAwait(false);
            why ??= failure;
            if (session is null)
                continue;
            var isBetter = best is not { } known ||
                RedundancyFacts.RankOf(member.ServiceLevel) > RedundancyFacts.RankOf(known.Member.ServiceLevel);
            var other = isBetter ? best?.Session : session;
            if (isBetter)
                best = (member, session);
            if (other is not null)
                await other.DisposeAsync().ConfigureAwait(false);
            if (RedundancyFacts.IsHealthy(best!.Value.Member.ServiceLevel))
                break;
        }

        Show();
        if (best is not { } found)
            throw why ?? new ServiceException(StatusCodes.BadConnectionRejected, "no server of the set");
        Activate(found.Member);
        return found.Session;
    }

    private async ValueTask<(IUpstreamSession Session, byte? Level)?> TryOpenAsync(
        RedundantMember member, CancellationToken cancellation)
    {
        var (session, _) = await OpenAsync(member, cancellation).ConfigureAwait(false);
        return session is null ? null : (session, member.ServiceLevel);
    }

    /// <returns>A session, or why there is none.</returns>
    private async ValueTask<(IUpstreamSession? Session, Exception? Why)> OpenAsync(
        RedundantMember member, CancellationToken cancellation)
    {
        IUpstreamSession? session = null;
        try
        {
            if (member.Left is { } left)
                await member.Connection.LeaveAsync(left, cancellation).ConfigureAwait(false);
            member.Left = null;
            session = await member.Connection.ConnectAsync(cancellation).ConfigureAwait(false);
            CheckSet(session);
            member.ServiceLevel =
                await RedundancyFacts.ReadServiceLevelAsync(session, cancellation).ConfigureAwait(false);
            member.LastError = null;
            return (session, null);
        }
        catch (Exception failure)
        {
            if (session is not null)
                await session.DisposeAsync().ConfigureAwait(false);
            if (failure is OperationCanceledException && cancellation.IsCancellationRequested)
                throw;
            Fail(member, failure);
            return (null, failure);
        }
    }

    /// <summary>Another server of the set, and not one that happens to answer at that address.</summary>
    private void CheckSet(IUpstreamSession session)
    {
        var uri = session.Endpoint.Server?.ApplicationUri;
        if (_serverUris.Length > 0 && !string.IsNullOrEmpty(uri) && !_serverUris.Contains(uri))
            throw new ServiceException(
                StatusCodes.BadServerUriInvalid,
                $"its ApplicationUri \"{PeerText.Escape(uri)}\" is not in the ServerUriArray of the set")
            {
                Fault = ConnectFault.EndpointMismatch,
            };
    }

    private IEnumerable<RedundantMember> From(RedundantMember first)
    {
        var at = Array.IndexOf(_members, first);
        return _members.Skip(at).Concat(_members.Take(at));
    }

    private void Activate(RedundantMember member)
    {
        if (_wasActive && member != _active)
        {
            _failovers++;
            TookOver(_upstream, member.EndpointUrl, _active.EndpointUrl, member.ServiceLevel ?? byte.MaxValue);
        }

        (_active, _wasActive, _activeSince) = (member, true, _time.GetTimestamp());
        Show();
    }

    private void Fail(RedundantMember member, Exception failure)
    {
        member.LastError = PeerText.EscapeLine(failure.Message);
        Show();
    }

    private void Show() => _report = new RedundancyReport
    {
        Support = _support,
        Failovers = _failovers,
        Servers = Array.ConvertAll(_members, member => new RedundantServer(
            member.EndpointUrl,
            member.LastError is not null ? "away"
                : member == _active && _wasActive ? "active"
                : member == _standby?.Member ? "standby" : "unused",
            member.ServiceLevel, member.LastError)),
    };

    [LoggerMessage(5073, LogLevel.Warning,
        "Upstream {Upstream} goes on with {EndpointUrl} in place of {Before}; its ServiceLevel is {Level}")]
    private partial void TookOver(string upstream, string endpointUrl, string before, byte level);
}
