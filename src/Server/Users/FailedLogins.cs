namespace Gateway.Server.Users;

/// <summary>
/// Rate-limits guesses of passwords and user certificates, for all protocols together (R30). Three accounts judge each
/// try of an unproven client, and each can refuse it before the password is checked:
/// <para>The account of the user at that source: after <see cref="ServerLimits.MaxFailedLogins"/> failures one try in
/// <see cref="ServerLimits.FailedLoginInterval"/>.</para>
/// <para>The account of the user at all sources: the same limit, however many addresses take part.</para>
/// <para>The account of the source and of the network around it: failures of many users
/// (<see cref="SourceLevels"/>).</para>
/// A client that logged in before has an account of its own instead: by its certificate from any address, otherwise by
/// its address. So guesses from elsewhere do not delay it. A success clears the failures of its own account only.
/// Bounded: every table has at most twice <see cref="ServerLimits.MaxTrackedLogins"/> entries, in two generations. Any
/// thread; its lock is a leaf.
/// </summary>
internal sealed class FailedLogins(TimeProvider timeProvider, ServerLimits limits)
{
    private static readonly TimeSpan ForgetAfter = TimeSpan.FromMinutes(5);

    private readonly Lock _lock = new();
    private readonly Generations<LoginKey, Entry> _accounts = new(limits.MaxTrackedLogins);
    private readonly Generations<LoginKey, Guessing> _users = new(limits.MaxTrackedLogins);
    private readonly Generations<LoginKey, bool> _proven = new(limits.MaxTrackedLogins);
    private readonly SourceLevels _sources = new(timeProvider, limits);

    /// <summary>Entries of the largest table.</summary>
    public int Count
    {
        get
        {
            lock (_lock)
                return Math.Max(Math.Max(_accounts.Count, _users.Count), Math.Max(_proven.Count, _sources.Count));
        }
    }

    /// <summary>Asked before the server spends any work on the try.</summary>
    public LoginTurn MayTry(in LoginAttempt attempt)
    {
        lock (_lock)
            return TryUnderLock(attempt);
    }

    /// <summary>Asked just before the password is checked: other tries may have failed since.</summary>
    public bool MayLook(LoginTurn turn, in LoginAttempt attempt)
    {
        if (turn == LoginTurn.Taken)
            return true;
        lock (_lock)
            return TryUnderLock(attempt) != LoginTurn.Refused;
    }

    public void Failed(in LoginAttempt attempt)
    {
        lock (_lock)
        {
            var now = timeProvider.GetTimestamp();
            var account = AccountUnderLock(attempt, out var isProven);
            _accounts.TryGet(account, out var entry);
            _accounts.Set(account, new Entry(entry.Failures + 1, now));
            if (isProven)
                return;
            var user = attempt.OfUser;
            var isFirst = !_users.TryGet(user, out var guessing);
            _users.Set(user, new Guessing(
                guessing.Failures + 1, now, account,
                guessing.IsOfMany || (!isFirst && guessing.LastAccount != account)));
            // The account of the user at this source already delays such tries, so they do not count against the
            // source.
            if (entry.Failures < limits.MaxFailedLogins)
                _sources.Failed(attempt, now);
        }
    }

    public void Succeeded(in LoginAttempt attempt)
    {
        lock (_lock)
        {
            _accounts.Remove(AccountUnderLock(attempt, out _));
            if (!_proven.TryGet(attempt.OfClient, out _))
                _sources.Succeeded(attempt, timeProvider.GetTimestamp());
            _proven.Set(attempt.OfClient, true);
            _proven.Set(attempt.OfAddress, true);
        }
    }

    private LoginTurn TryUnderLock(in LoginAttempt attempt)
    {
        var now = timeProvider.GetTimestamp();
        var account = AccountUnderLock(attempt, out var isProven);
        if (!isProven && _sources.IsFull(attempt, now))
            return LoginTurn.Refused;
        _accounts.TryGet(account, out var own);
        var turn = TurnOf(own.Failures, own.LastTry, now, limits.FailedLoginInterval);
        if (turn == LoginTurn.Refused)
            return LoginTurn.Refused;
        if (!isProven)
        {
            var all = UserTurnUnderLock(attempt, account, own, now);
            if (all == LoginTurn.Refused)
                return LoginTurn.Refused;
            turn = all == LoginTurn.Taken ? all : turn;
        }

        // A try counts when it is admitted, not when its result is known: otherwise many parallel tries would pass.
        if (turn == LoginTurn.Taken && own.Failures >= limits.MaxFailedLogins)
            _accounts.Set(account, IsLongAgo(own.LastTry, now) ? default : own with { LastTry = now });
        return turn;
    }

    /// <summary>The account of the user at all sources. If one source alone guesses, its own account delays it, and
    /// other sources may try. If many sources guess, those without free tries left get half the rate, so that a source
    /// with free tries finds a turn.</summary>
    private LoginTurn UserTurnUnderLock(in LoginAttempt attempt, LoginKey account, Entry own, long now)
    {
        if (!_users.TryGet(attempt.OfUser, out var all) || (!all.IsOfMany && all.LastAccount != account))
            return LoginTurn.Free;
        var interval = all.IsOfMany && own.Failures >= limits.MaxFailedLogins
            ? 2 * limits.FailedLoginInterval
            : limits.FailedLoginInterval;
        var turn = TurnOf(all.Failures, all.LastTry, now, interval);
        if (turn == LoginTurn.Taken)
            _users.Set(attempt.OfUser, IsLongAgo(all.LastTry, now) ? default : all with { LastTry = now });
        return turn;
    }

    private LoginTurn TurnOf(int failures, long lastTry, long now, TimeSpan interval) =>
        failures < limits.MaxFailedLogins ? LoginTurn.Free
        : timeProvider.GetElapsedTime(lastTry, now) < interval ? LoginTurn.Refused
        : LoginTurn.Taken;

    private bool IsLongAgo(long lastTry, long now) => timeProvider.GetElapsedTime(lastTry, now) > ForgetAfter;

    /// <summary>The certificate goes first: any client behind an address can claim that address.</summary>
    private LoginKey AccountUnderLock(in LoginAttempt attempt, out bool isProven)
    {
        isProven = _proven.TryGet(attempt.OfClient, out _);
        if (isProven)
            return attempt.OfClient;
        isProven = attempt.OfSource == attempt.OfAddress && _proven.TryGet(attempt.OfAddress, out _);
        return attempt.OfSource;
    }

    private readonly record struct Entry(int Failures, long LastTry);

    /// <param name="Failures">Failures of unproven clients, at all sources.</param>
    /// <param name="LastTry">Time of the last try that was checked.</param>
    /// <param name="LastAccount">The account of the last failure.</param>
    /// <param name="IsOfMany">Failures came from more than one source.</param>
    private readonly record struct Guessing(int Failures, long LastTry, LoginKey LastAccount, bool IsOfMany);
}
