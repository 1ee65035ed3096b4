using Gateway.Operations.Access;
using Gateway.Transport.Certificates;

namespace Gateway.Server.Users;

/// <summary>The users with certificates that somebody is at present: in a session, a stream, a WebSocket or a request.
/// It keeps none of them alive. When trust changes, each is judged again once, however much he has open (R31). Threads:
/// any; its lock is a leaf.</summary>
internal sealed class CertificateUsers(ICertificateValidator certificates)
{
    private const int MinTidyAt = 64;

    private readonly Lock _lock = new();

    /// <summary>By thumbprint. Those that nobody is any more go when their number has doubled.</summary>
    private readonly Dictionary<string, WeakReference<UserIdentity>> _users = new(StringComparer.OrdinalIgnoreCase);

    private int _tidyAt = MinTidyAt;
    private int _generation;

    /// <summary>Of the trust lists; read before a certificate is judged.</summary>
    public int Generation => Volatile.Read(ref _generation);

    /// <summary>Null: nobody is this user at present.</summary>
    public UserIdentity? Find(string thumbprint)
    {
        lock (_lock)
            return _users.TryGetValue(thumbprint, out var known) && known.TryGetTarget(out var user) && !user.IsRefused
                ? user
                : null;
    }

    /// <summary>The identity that others have already by the same certificate, or this one. Null: trust has changed
    /// since the certificate was judged, and it has to be judged again. The chain that came first counts: where it no
    /// longer passes, a client with another one logs in anew.</summary>
    /// <param name="user">With his certificate.</param>
    /// <param name="generation">Before he was judged.</param>
    public UserIdentity? Add(UserIdentity user, int generation)
    {
        lock (_lock)
        {
            if (generation != _generation)
                return null;
            if (_users.TryGetValue(user.Key, out var known) && known.TryGetTarget(out var same) &&
                !same.IsRefused)
                return same;
            _users[user.Key] = new WeakReference<UserIdentity>(user);
            if (_users.Count > _tidyAt)
                TidyUnderLock();
            return user;
        }
    }

    /// <summary>Judges all of them by the trust lists of now.</summary>
    public void Recheck()
    {
        foreach (var user in TakeAll())
        {
            var verdict = certificates.Validate(user.Certificate!.Chain, null, null);
            certificates.Proven(verdict);
            if (!verdict.IsAccepted)
                user.Certificate.Refuse();
        }
    }

    /// <summary>An operator has taken the certificate away, whatever the trust lists say of its issuer.</summary>
    public void Refuse(string thumbprint)
    {
        foreach (var user in TakeAll())
        {
            if (user.Key.Equals(thumbprint, StringComparison.OrdinalIgnoreCase))
                user.Certificate!.Refuse();
        }
    }

    /// <summary>Those of a moment in which nobody is judged: what is judged before is seen here, what is judged later
    /// sees the new lists.</summary>
    private List<UserIdentity> TakeAll()
    {
        var all = new List<UserIdentity>();
        lock (_lock)
        {
            _generation++;
            foreach (var one in _users.Values)
            {
                if (one.TryGetTarget(out var user))
                    all.Add(user);
            }
        }

        return all;
    }

    private void TidyUnderLock()
    {
        foreach (var (key, user) in _users)
        {
            if (!user.TryGetTarget(out _))
                _users.Remove(key);
        }

        _tidyAt = Math.Max(MinTidyAt, 2 * _users.Count);
    }
}
