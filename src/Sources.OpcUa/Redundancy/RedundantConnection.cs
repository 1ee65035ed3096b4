using System.Runtime.ExceptionServices;
using Gateway.Client;
using Gateway.Codec.Types;
using Gateway.Sources.OpcUa.Sessions;
using Gateway.Sources.Upstreams;
using Microsoft.Extensions.Logging;

namespace Gateway.Sources.OpcUa.Redundancy;

/// <summary>
/// Several servers that stand in for each other, as one upstream (non-transparent redundancy, Part 4 §6.6.2.4). It
/// begins with the first that is Healthy, else with the best; stays with it while it is Healthy; and goes on with
/// another when it is out of reach or the other is in better order. Where the set is warm or hot, a session with each
/// of the others is kept ready. Thread: the connector's loop and its job of one connection, never both at once; the
/// report from any.
/// </summary>
internal sealed partial class RedundantConnection(
    string upstream, RedundantMember[] members, TimeProvider time, ILogger log, string mode = StandbyMode.Auto)
    : IUpstreamConnection
{
    /// <summary>Between two looks at the ServiceLevels.</summary>
    private static readonly TimeSpan LookInterval = TimeSpan.FromSeconds(5);

    /// <summary>Between two looks at one that is not in use, where the one in use does not answer its own: then the
    /// other is needed soon, and is known to be there.</summary>
    private static readonly TimeSpan LongestLookInterval = TimeSpan.FromSeconds(7);

    /// <summary>Two Degraded servers do not take turns at each change of a level.</summary>
    private static readonly TimeSpan MinimumStay = TimeSpan.FromSeconds(30);

    private readonly ILogger _log = log;
    private volatile RedundantMember _active = members[0];
    private volatile bool _wasActive;
    private volatile string _support = "";
    private volatile string?[] _serverUris = [];
    private volatile TaskCompletionSource _looked = NewSignal();
    private volatile HotSpare? _hot;
    private long _activeSince;
    private long _failovers;

    public RedundancyReport? Redundancy => new()
    {
        Support = _support,
        IsHot = StandbyMode.IsHot(mode, _support),
        Failovers = Volatile.Read(ref _failovers),
        Servers = Array.ConvertAll(members, member => new RedundantServer(
            member.EndpointUrl, StateOf(member), member.ServiceLevel, member.LastError)
        {
            StandbyItems = IsHot(member) ? _hot?.Items : null,
        }),
    };

    public string? Address => _active.EndpointUrl;

    public IReadOnlyList<PresentedCertificate> Certificates =>
        [.. members.SelectMany(static member => member.Connection.Certificates)];

    public async ValueTask<IUpstreamSession> ConnectAsync(CancellationToken cancellation)
    {
        var (member, opened) = await RaceAsync(InOrder().Select(Entrant), cancellation).ConfigureAwait(false);
        Activate(member, opened.Session);
        return opened.Session;
    }

    public async ValueTask<ResumedUpstream> ResumeAsync(IUpstreamSession lost, CancellationToken cancellation)
    {
        var before = _active;
        var entrants = InOrder().Where(one => one != before).Select(Entrant);
        if (before.UntilDue == TimeSpan.Zero)
        {
            var back = new MemberEntrant(before, ending => before.ResumeAsync(lost, ending), IsLost: true);
            // A server with the items loses nothing either, and does not have to be waited for.
            var first = Array.Exists(members, IsHot) ? 1 : 0;
            entrants = [.. entrants.Take(first), back, .. entrants.Skip(first)];
        }

        var (member, resumed) = await RaceAsync(entrants, cancellation).ConfigureAwait(false);
        if (member != before)
            before.Lose(lost);
        Activate(member, resumed.Session);
        return resumed;
    }

    public ValueTask LeaveAsync(IUpstreamSession lost, CancellationToken cancellation) =>
        _active.Connection.LeaveAsync(lost, cancellation);

    /// <summary>Where the set is hot. Part 4 §6.6.2.4.5.5 and §6.6.2.4.5.6.</summary>
    public IUpstreamSession? StandbyFor(IUpstreamSession? current)
    {
        if (!StandbyMode.IsHot(mode, _support))
            return null;
        var others = members.Where(static one => one.HasSpare).Where(one => one != _active).ToArray();
        var has = Array.Find(others, one => one.Spare == current);
        return has is not null && ServerChoice.IsGoodEnough(has.ServiceLevel)
            ? current
            : ServerChoice.Best(others, static one => one.ServiceLevel)?.Spare;
    }

    public void TellStandby(IUpstreamSession? session, int items) =>
        _hot = session is null ? null : new HotSpare(session, items);

    public void TellUnusable(Exception why) => _active.Unusable(why);

    public ValueTask EndBesideAsync(IUpstreamSession session)
    {
        _active.EndBeside(session.DisposeAsync().AsTask());
        return default;
    }

    /// <summary>Looks at the servers until it is cancelled, at each by itself. Errors: <see cref="ServiceException"/>
    /// where another one is in better order: the next connection is with that one.</summary>
    public async Task WatchAsync(IUpstreamSession session, CancellationToken cancellation)
    {
        using var end = CancellationTokenSource.CreateLinkedTokenSource(cancellation);
        Task[] jobs =
        [
            LookAsync(session, end.Token),
            .. members.Where(one => one != _active).Select(one => CareAsync(one, end.Token)),
        ];
        await LinkJobs.WhenFailedAsync(jobs).ConfigureAwait(false);
        await end.CancelAsync().ConfigureAwait(false);
        var (why, _) = await LinkJobs.DrainAsync(jobs, session.Closed).ConfigureAwait(false);
        cancellation.ThrowIfCancellationRequested();
        if (why is not null)
            ExceptionDispatchInfo.Throw(why);
    }

    /// <summary>The gateway stops, or has other options for the upstream.</summary>
    public async ValueTask CloseAsync() =>
        await Task.WhenAll(Array.ConvertAll(members, static one => one.CloseAsync())).ConfigureAwait(false);

    private async Task LookAsync(IUpstreamSession session, CancellationToken cancellation)
    {
        using var timer = new PeriodicTimer(LookInterval, time);
        do
        {
            try
            {
                var facts = await RedundancyFacts.ReadAsync(session, cancellation).ConfigureAwait(false);
                _active.Answered(facts.ServiceLevel);
                // A server in trouble does not say all: the rest is as it was.
                (_support, _serverUris) = (facts.Support ?? _support, facts.ServerUris ?? _serverUris);
            }
            catch (ServiceException)
            {
                // No answer of the active one: others see that, too, and end its connection.
            }

            ThrowIfOtherIsBetter();
            Interlocked.Exchange(ref _looked, NewSignal()).SetResult();
        }
        while (await timer.WaitForNextTickAsync(cancellation).ConfigureAwait(false));
    }

    /// <summary>After each look at the active server one at this one, and one where that takes long; unless the last
    /// one still goes on.</summary>
    private async Task CareAsync(RedundantMember member, CancellationToken cancellation)
    {
        while (true)
        {
            var looked = _looked.Task;
            // A cold one has perhaps been started by now.
            var isWanted = StandbyMode.HasStandby(mode, _support) || !ServerChoice.IsGoodEnough(_active.ServiceLevel);
            await member.CareAsync(isWanted, _serverUris, cancellation).ConfigureAwait(false);
            ThrowIfOtherIsBetter();
            await looked.WaitAsync(LongestLookInterval, time, cancellation)
                .ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            cancellation.ThrowIfCancellationRequested();
        }
    }

    private void ThrowIfOtherIsBetter()
    {
        if (time.GetElapsedTime(_activeSince) >= MinimumStay && Best() is var best && best != _active)
            throw new ServiceException(
                StatusCodes.BadOutOfService,
                $"{best.EndpointUrl} is in better order (ServiceLevel {best.ServiceLevel} against "
                    + $"{_active.ServiceLevel})");
    }

    /// <summary>Of the active one and those that are ready.</summary>
    private RedundantMember Best() =>
        ServerChoice.Best(FromActive().Where(one => one == _active || one.HasSpare), static one => one.ServiceLevel)!;

    /// <summary>Errors: that of the first that failed. Where each has refused us, none is asked before its time: a
    /// controller may lock the account.</summary>
    private async ValueTask<(RedundantMember Member, ResumedUpstream Upstream)> RaceAsync(
        IEnumerable<MemberEntrant> entrants, CancellationToken cancellation)
    {
        try
        {
            return await new MemberRace(entrants, time).RunAsync(cancellation).ConfigureAwait(false);
        }
        catch (ServiceException failure)
        {
            var wait = members.Min(static one => one.HasSpare ? TimeSpan.Zero : one.UntilDue);
            if (wait > (failure.RetryAfter ?? TimeSpan.Zero))
                failure.RetryAfter = wait;
            throw;
        }
    }

    /// <summary>As they are tried: the best that is known, the others that are ready, those that may be tried again. Of
    /// each, those that failed come behind the others.</summary>
    private RedundantMember[] InOrder()
    {
        var best = Best();
        return
        [
            .. FromActive().Where(static one => one.HasSpare || one.IsDue(isNeeded: true))
                .OrderBy(static one => one.LastError is not null)
                .ThenByDescending(one => one == best).ThenByDescending(IsHot)
                .ThenByDescending(static one => one.HasSpare),
        ];
    }

    /// <summary>The one in use, the one with the items, the others in their order.</summary>
    private IEnumerable<RedundantMember> FromActive()
    {
        var at = Array.IndexOf(members, _active);
        return members.Skip(at).Concat(members.Take(at))
            .OrderByDescending(one => one == _active).ThenByDescending(IsHot);
    }

    private bool IsHot(RedundantMember member) => _hot is { } hot && member.Spare == hot.Session;

    private MemberEntrant Entrant(RedundantMember member) => new(
        member,
        async ending => new ResumedUpstream(
            await member.OpenAsync(_serverUris, ending).ConfigureAwait(false), ResumeKind.New),
        IsLost: false);

    private void Activate(RedundantMember member, IUpstreamSession session)
    {
        if (_wasActive && member != _active)
        {
            Interlocked.Increment(ref _failovers);
            TookOver(
                upstream, member.EndpointUrl, _active.EndpointUrl,
                member.ServiceLevel is { } level ? $"{level}" : "unknown");
        }

        member.Serve(session);
        (_active, _wasActive, _activeSince) = (member, true, time.GetTimestamp());
    }

    private string StateOf(RedundantMember member) =>
        member.LastError is not null ? "away"
        : member == _active && _wasActive ? "active"
        : member.HasSpare ? "standby" : "unused";

    private sealed record HotSpare(IUpstreamSession Session, int Items);

    private static TaskCompletionSource NewSignal() => new(TaskCreationOptions.RunContinuationsAsynchronously);

    [LoggerMessage(5073, LogLevel.Warning,
        "Upstream {Upstream} goes on with {EndpointUrl} in place of {Before}; its ServiceLevel is {Level}")]
    private partial void TookOver(string upstream, string endpointUrl, string before, string level);
}
