using Gateway.Admission.Caps;
using Gateway.Admission.Stages;

namespace Gateway.Server.Sessions;

/// <summary>
/// The places at the caps on sessions: the server's, whose last sixth is kept for those that hold little
/// (<see cref="FairCap"/>, R46), and those of one address, one certificate and one user. Each sum is exact at any
/// time. O(1). Thread-safe; its lock is a leaf.
/// </summary>
internal sealed class SessionPlaces(ServerLimits limits)
{
    private readonly Lock _lock = new();
    private readonly SessionQuota _addresses = new();
    private readonly SessionQuota _certificates = new();
    private readonly SessionQuota _users = new();
    private int _used;

    /// <summary>Of the limit of now.</summary>
    private FairCap Cap => new(limits.MaxSessions);

    public int Used => Volatile.Read(ref _used);

    /// <summary>Addresses, certificates and users that are counted.</summary>
    public int Holders
    {
        get
        {
            lock (_lock)
                return _addresses.Keys + _certificates.Keys + _users.Keys;
        }
    }

    /// <summary>Sessions of <see cref="SessionPlace.Holder"/>.</summary>
    public int HeldBy(SessionPlace place)
    {
        lock (_lock)
            return (place.Certificate.Length > 0 ? _certificates : _addresses)[place.Holder];
    }

    /// <summary>None: it is taken. MaxSessions and Reserved: another's place may be had by
    /// <see cref="TryTakeOver"/>.</summary>
    public RefusalReason TryTake(SessionPlace place)
    {
        lock (_lock)
        {
            var reason = CheckHoldersUnderLock(place);
            if (reason != RefusalReason.None)
                return reason;
            var held = Math.Max(_addresses[place.Address], _certificates[place.Certificate]);
            var verdict = Cap.Judge(_used + 1, held);
            if (verdict != CapVerdict.Granted)
                return verdict == CapVerdict.Reserved ? RefusalReason.Reserved : RefusalReason.MaxSessions;
            AddUnderLock(place, _used >= Cap.Open);
            return RefusalReason.None;
        }
    }

    /// <summary>Moves the victim's place to the new session in one step, so that no third session takes it. False: the
    /// victim has none any more, or the new session's address or certificate has as many as it may.</summary>
    public bool TryTakeOver(SessionPlace victim, SessionPlace place)
    {
        lock (_lock)
        {
            if (!victim.IsTaken || CheckHoldersUnderLock(place) != RefusalReason.None)
                return false;
            ReleaseUnderLock(victim);
            AddUnderLock(place, victim.IsOfReserve);
            return true;
        }
    }

    /// <summary>Idempotent.</summary>
    public void Release(SessionPlace place)
    {
        lock (_lock)
            ReleaseUnderLock(place);
    }

    /// <summary>Counts the session for the new user as well as the present one until <see cref="EndActivation"/>. A
    /// client that activates its session again for the same user needs no room for it.</summary>
    /// <param name="place">The session's place.</param>
    /// <param name="user">The verified user.</param>
    /// <param name="isCounted">False: it counted for this user already, or is refused; then there is nothing to end.
    /// </param>
    public RefusalReason BeginActivation(SessionPlace place, string user, out bool isCounted)
    {
        isCounted = false;
        lock (_lock)
        {
            if (user == place.User)
                return RefusalReason.None;
            if (_users.IsFull(user, limits.MaxSessionsPerUser))
                return RefusalReason.MaxSessionsPerUser;
            if (place.IsOfReserve && Cap.Judge(_used, _users[user]) == CapVerdict.Reserved)
                return RefusalReason.Reserved;
            _users.Add(user);
            isCounted = true;
            return RefusalReason.None;
        }
    }

    /// <summary>For an activation that was counted.</summary>
    /// <param name="place">The session's place.</param>
    /// <param name="user">As with <see cref="BeginActivation"/>.</param>
    /// <param name="succeeded">True: it counts for this user and no longer for the previous one.</param>
    public void EndActivation(SessionPlace place, string user, bool succeeded)
    {
        lock (_lock)
        {
            // It may have been closed meanwhile.
            if (!succeeded || !place.IsTaken)
            {
                _users.Remove(user);
                return;
            }

            if (place.User is { } before)
                _users.Remove(before);
            place.User = user;
        }
    }

    private RefusalReason CheckHoldersUnderLock(SessionPlace place)
    {
        if (_addresses.IsFull(place.Address, limits.MaxSessionsPerAddress))
            return RefusalReason.MaxSessionsPerAddress;
        return place.Certificate.Length > 0 &&
            _certificates.IsFull(place.Certificate, limits.MaxSessionsPerCertificate)
            ? RefusalReason.MaxSessionsPerCertificate
            : RefusalReason.None;
    }

    private void AddUnderLock(SessionPlace place, bool isOfReserve)
    {
        place.IsTaken = true;
        place.IsOfReserve = isOfReserve;
        Volatile.Write(ref _used, _used + 1);
        _addresses.Add(place.Address);
        if (place.Certificate.Length > 0)
            _certificates.Add(place.Certificate);
    }

    private void ReleaseUnderLock(SessionPlace place)
    {
        if (!place.IsTaken)
            return;
        place.IsTaken = false;
        Volatile.Write(ref _used, _used - 1);
        _addresses.Remove(place.Address);
        if (place.Certificate.Length > 0)
            _certificates.Remove(place.Certificate);
        if (place.User is { } user)
            _users.Remove(user);
        place.User = null;
    }
}
