using Gateway.Client;
using Gateway.Codec.Types;
using Gateway.Sources.OpcUa.Sessions;

namespace Gateway.Sources.OpcUa.Redundancy;

/// <summary>Finds the server to go on with: tries them in their order, the next one as soon as one has failed or has
/// not answered for <see cref="Stagger"/>, so that a dead one holds up nobody. Ends with the first that is good enough,
/// else with the best. The one that was lost is tried again beside the others. No session of another one is left: each
/// ends beside the winner, which does not wait for it.</summary>
internal sealed class MemberRace(IEnumerable<MemberEntrant> entrants, TimeProvider time)
{
    public static readonly TimeSpan Stagger = TimeSpan.FromSeconds(2);

    private readonly Queue<MemberEntrant> _waiting = new(entrants);
    private readonly Dictionary<Task<ResumedUpstream>, MemberEntrant> _running = [];
    private readonly List<Opened> _opened = [];
    private MemberEntrant? _again;
    private Exception? _why;

    /// <summary>Errors: that of the first that failed.</summary>
    public async ValueTask<(RedundantMember Member, ResumedUpstream Upstream)> RunAsync(CancellationToken cancellation)
    {
        var end = CancellationTokenSource.CreateLinkedTokenSource(cancellation);
        Opened? winner = null;
        try
        {
            await RunToEndAsync(end.Token).ConfigureAwait(false);
            cancellation.ThrowIfCancellationRequested();
            winner = _opened.Find(static one => one.Entrant.IsLost) ??
                ServerChoice.Best(_opened, static one => one.Entrant.Member.ServiceLevel);
            return winner is not null
                ? (winner.Entrant.Member, winner.Upstream)
                : throw _why ?? new ServiceException(StatusCodes.BadConnectionRejected, "no server of the set");
        }
        finally
        {
            var closing = CloseAsync(end, winner);
            if (winner is null)
                await closing.ConfigureAwait(false);
        }
    }

    private async ValueTask RunToEndAsync(CancellationToken cancellation)
    {
        StartNext(cancellation);
        while (_running.Count > 0 && !IsWon)
        {
            var hasMore = _waiting.Count > 0 || _opened.Count > 0 || _again is not null;
            var pause = Task.Delay(hasMore ? Stagger : Timeout.InfiniteTimeSpan, time, cancellation);
            var done = await Task.WhenAny([.. _running.Keys, pause]).ConfigureAwait(false);
            cancellation.ThrowIfCancellationRequested();
            if (done is Task<ResumedUpstream> attempt)
                await TakeAsync(attempt).ConfigureAwait(false);
            else if (_waiting.Count == 0 && _opened.Count > 0)
                return;
            else if (_again is { } again)
                Start(again, cancellation);
            if (!IsWon)
                StartNext(cancellation);
        }
    }

    private bool IsWon => _opened.Exists(static one =>
        one.Entrant.IsLost || ServerChoice.IsGoodEnough(one.Entrant.Member.ServiceLevel));

    private void StartNext(CancellationToken cancellation)
    {
        if (_waiting.TryDequeue(out var next))
            Start(next, cancellation);
    }

    private void Start(MemberEntrant entrant, CancellationToken cancellation)
    {
        if (entrant == _again)
            _again = null;
        _running.Add(entrant.OpenAsync(cancellation).AsTask(), entrant);
    }

    private async ValueTask TakeAsync(Task<ResumedUpstream> attempt)
    {
        _running.Remove(attempt, out var entrant);
        try
        {
            _opened.Add(new Opened(entrant!, await attempt.ConfigureAwait(false)));
        }
        catch (Exception failure)
        {
            _why ??= failure;
            if (entrant!.IsLost && MemberBackoff.IsOutOfReach(failure))
                _again = entrant;
        }
    }

    /// <summary>Their members do nothing else until they have ended.</summary>
    private async Task CloseAsync(CancellationTokenSource end, Opened? winner)
    {
        using (end)
        {
            // Before anything is awaited: whoever looks after the members from now on waits for it.
            foreach (var (attempt, entrant) in _running)
                entrant.Member.EndBeside(CloseAsync(attempt));
            foreach (var (entrant, upstream) in _opened.Where(one => one != winner))
                entrant.Member.EndBeside(upstream.Session.DisposeAsync().AsTask());
            await end.CancelAsync().ConfigureAwait(false);
            await Task.WhenAll(_running.Values.Concat(_opened.Select(static one => one.Entrant))
                .Select(static one => one.Member.Ended)).ConfigureAwait(false);
        }
    }

    private static async Task CloseAsync(Task<ResumedUpstream> attempt)
    {
        var opened = await attempt.ConfigureAwait(false);
        await opened.Session.DisposeAsync().ConfigureAwait(false);
    }

    private sealed record Opened(MemberEntrant Entrant, ResumedUpstream Upstream);
}
