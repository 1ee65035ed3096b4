namespace Gateway.Server.Users;

/// <summary>
/// Slows guessing (R30), of passwords and of user certificates, at every door. Three accounts look at each try of a
/// stranger, and each can refuse it unseen. The account of the user at that source: after
/// <see cref="ServerLimits.MaxFailedLogins"/> failures one try in <see cref="ServerLimits.FailedLoginInterval"/>. The
/// account of the user at all sources: the same, however many addresses take part. The account of the source, and of
/// the network around it: failures of many users (<see cref="SourceLevels"/>). A client that was right before has an
/// account of its own instead of these: by its certificate wherever it is, else by its address. So nobody who guesses
/// elsewhere delays it. A success forgets the failures of its own account only. Bounded: every table has at most twice
/// <see cref="ServerLimits.MaxTrackedLogins"/> entries, in two generations. Any thread; its lock is a leaf.
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

    /// <summary>Before anything is spent on it.</summary>
    public LoginTurn MayTry(in LoginAttempt attempt)
    {
        lock (_lock)
            return TryUnderLock(attempt);
    }

    /// <summary>Just before the password is looked at: others may have failed since.</summary>
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
            // What the account of the user at this source slows already is no news of the source.
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

        // A try counts when it is let through, not when its answer is known: no race of many at once.
        if (turn == LoginTurn.Taken && own.Failures >= limits.MaxFailedLogins)
            _accounts.Set(account, IsLongAgo(own.LastTry, now) ? default : own with { LastTry = now });
        return turn;
    }

    /// <summary>Of the user, whoever tries. Where one source alone guesses, its own account slows it, and another
    /// source is free to try. Where many do, those that have used up their own free tries go half as often, so that one
    /// that has not finds a turn.</summary>
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

    /// <summary>A client that anybody behind its address could pass for comes after one with a certificate.</summary>
    private LoginKey AccountUnderLock(in LoginAttempt attempt, out bool isProven)
    {
        isProven = _proven.TryGet(attempt.OfClient, out _);
        if (isProven)
            return attempt.OfClient;
        isProven = attempt.OfSource == attempt.OfAddress && _proven.TryGet(attempt.OfAddress, out _);
        return attempt.OfSource;
    }

    private readonly record struct Entry(int Failures, long LastTry);

    /// <param name="Failures">Of strangers, at all sources.</param>
    /// <param name="LastTry">When one was looked at last.</param>
    /// <param name="LastAccount">Whose failure was the last.</param>
    /// <param name="IsOfMany">Failures came from more than one source.</param>
    private readonly record struct Guessing(int Failures, long LastTry, LoginKey LastAccount, bool IsOfMany);
}
