using System.Net;

namespace Gateway.Server.Users;

/// <summary>
/// Slows guessing (R30). After <see cref="ServerLimits.MaxFailedLogins"/> failures of one user from one address, one
/// further try in <see cref="ServerLimits.FailedLoginInterval"/> is looked at and the others are refused unseen; an
/// address whose failures are of many users is slowed the same way, later the more users have come from there rightly.
/// A client that was right before, with its certificate and from its address, has an account of its own: who guesses
/// behind the same NAT does not delay it. A success forgets the user's failures. Bounded: every table has at most twice
/// <see cref="ServerLimits.MaxTrackedLogins"/> entries, in two generations. Any thread.
/// </summary>
internal sealed class FailedLogins(TimeProvider timeProvider, ServerLimits limits)
{
    /// <summary>Failures of an address that are as nothing, as a multiple of those of one user: people behind one
    /// address mistype, too.</summary>
    private const int AddressFactor = 4;

    private const int MaxProvenClients = 1_000;

    private static readonly TimeSpan ForgetAfter = TimeSpan.FromMinutes(5);

    private readonly Lock _lock = new();
    private readonly Generations<Key, Entry> _users = new(limits.MaxTrackedLogins);
    private readonly Generations<Key, bool> _proven = new(limits.MaxTrackedLogins);
    private readonly Generations<IPAddress, AddressEntry> _addresses = new(limits.MaxTrackedLogins);

    /// <summary>Entries of the largest table.</summary>
    public int Count
    {
        get
        {
            lock (_lock)
                return Math.Max(_users.Count, Math.Max(_proven.Count, _addresses.Count));
        }
    }

    /// <summary>Before anything is spent on it.</summary>
    /// <param name="user">As the peer names it.</param>
    /// <param name="address">Of the peer.</param>
    /// <param name="client">Thumbprint of the channel's certificate; empty without.</param>
    public LoginTurn MayTry(string user, EndPoint? address, string client = "")
    {
        lock (_lock)
            return TryUnderLock(user, AddressOf(address), client);
    }

    /// <summary>Just before the password is looked at: others may have failed since.</summary>
    public bool MayLook(LoginTurn turn, string user, EndPoint? address, string client = "")
    {
        if (turn == LoginTurn.Taken)
            return true;
        lock (_lock)
            return TryUnderLock(user, AddressOf(address), client) != LoginTurn.Refused;
    }

    public void Failed(string user, EndPoint? address, string client = "")
    {
        lock (_lock)
        {
            var now = timeProvider.GetTimestamp();
            var from = AddressOf(address);
            var key = AccountUnderLock(user, from, client, out var isProven);
            _users.TryGet(key, out var entry);
            _users.Set(key, new Entry(entry.Failures + 1, now));
            // Whose own account slows him already is no news of the address.
            if (isProven || entry.Failures >= limits.MaxFailedLogins)
                return;
            _addresses.TryGet(from, out var all);
            _addresses.Set(from, all with { Level = Math.Min(LevelOf(all, now) + 1, CapacityOf(all)), At = now });
        }
    }

    public void Succeeded(string user, EndPoint? address, string client = "")
    {
        lock (_lock)
        {
            var from = AddressOf(address);
            _users.Remove(AccountUnderLock(user, from, client, out var isProven));
            if (isProven)
                return;
            _proven.Set(Key.Of(user, from, client), true);
            _addresses.TryGet(from, out var all);
            var now = timeProvider.GetTimestamp();
            _addresses.Set(from, new AddressEntry(
                LevelOf(all, now), now, Math.Min(all.ProvenClients + 1, MaxProvenClients)));
        }
    }

    private LoginTurn TryUnderLock(string user, IPAddress address, string client)
    {
        var now = timeProvider.GetTimestamp();
        var key = AccountUnderLock(user, address, client, out var isProven);
        if (!isProven && _addresses.TryGet(address, out var all) && LevelOf(all, now) + 1 > CapacityOf(all))
            return LoginTurn.Refused;
        if (!_users.TryGet(key, out var entry) || entry.Failures < limits.MaxFailedLogins)
            return LoginTurn.Free;
        var sinceLast = timeProvider.GetElapsedTime(entry.LastTry, now);
        if (sinceLast < limits.FailedLoginInterval)
            return LoginTurn.Refused;
        // A try counts when it is let through, not when its answer is known: no race of many at once.
        _users.Set(key, sinceLast > ForgetAfter ? default : entry with { LastTry = now });
        return LoginTurn.Taken;
    }

    private Key AccountUnderLock(string user, IPAddress address, string client, out bool isProven)
    {
        var own = Key.Of(user, address, client);
        isProven = _proven.TryGet(own, out _);
        return isProven ? own : Key.Of(user, address, "");
    }

    /// <summary>What is left of its failures: they leak away at the pace at which tries are looked at.</summary>
    private double LevelOf(in AddressEntry entry, long now) => Math.Max(
        0, entry.Level - (timeProvider.GetElapsedTime(entry.At, now) / limits.FailedLoginInterval * Weight(entry)));

    private double CapacityOf(in AddressEntry entry) => AddressFactor * limits.MaxFailedLogins * Weight(entry);

    private static double Weight(in AddressEntry entry) => 1 + entry.ProvenClients;

    private static IPAddress AddressOf(EndPoint? address) => (address as IPEndPoint)?.Address ?? IPAddress.None;

    /// <summary>Names come from the peer: their hash is kept, not they.</summary>
    private readonly record struct Key(int User, IPAddress Address, string Client)
    {
        public static Key Of(string user, IPAddress address, string client) =>
            new(string.GetHashCode(user, StringComparison.Ordinal), address, client);
    }

    private readonly record struct Entry(int Failures, long LastTry);

    private readonly record struct AddressEntry(double Level, long At, int ProvenClients);
}
