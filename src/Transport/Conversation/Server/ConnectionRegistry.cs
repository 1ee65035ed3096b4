using Gateway.Admission.Caps;
using Gateway.Admission.Clients;
using Gateway.Admission.Stages;
using Gateway.Codec.Tables;
using Gateway.Transport.Hosting;

namespace Gateway.Transport.Conversation;

/// <summary>
/// All connections of the server role. At the cap one without an active session makes room (R06): the one that has
/// waited longest for its peer (which said nothing, half a HEL, no OPN, no session), else the one whose OPN has waited
/// longest for us; one with an active session never. The last sixth of the cap is kept from an address and from a
/// certificate that hold more than a sixth (R46): such a one makes room itself. Touched when a connection comes, goes,
/// has an OPN worked on, or gains or loses its session; never by a message. Threads: any; its lock is a leaf.
/// </summary>
internal sealed class ConnectionRegistry(TransportLimits limits)
{
    /// <summary>Of those that have waited longest so many are compared.</summary>
    private const int Candidates = 32;

    /// <summary>Connections that a well-behaved client may have while it opens its session.</summary>
    private const int SmallCrowd = 2;
    private const int CrowdRatio = 4;

    private readonly Lock _lock = new();
    private readonly LinkedList<ServerRole> _waitingForPeer = new();
    private readonly LinkedList<ServerRole> _working = new();
    private readonly HashSet<ServerRole> _all = [];
    private int _limit = limits.MaxConnections;
    private long _lastSerial;
    private uint _lastChannelId;

    /// <summary>All connections, page by page.</summary>
    public PageTable<ServerRole> Pages { get; } = new();

    private FairCap Cap => new(_limit);

    /// <summary>Limits:MaxConnections, or less where the process has not as many descriptors.</summary>
    public int Limit => Volatile.Read(ref _limit);

    public int Count
    {
        get
        {
            lock (_lock)
                return _all.Count;
        }
    }

    /// <summary>Every place is taken by an active session: a new connection is refused.</summary>
    public bool IsFull
    {
        get
        {
            lock (_lock)
                return _all.Count >= _limit && VictimUnderLock() is null;
        }
    }

    /// <summary>MaxConnections: full, and every connection has an active session. Reserved: only the last sixth is
    /// left, and all of the address' own have one.</summary>
    /// <param name="connection">The new one; it has its pass.</param>
    /// <param name="victim">The connection that makes room. It is ended already; the caller tells its peer.</param>
    public RefusalReason TryAdd(ServerRole connection, out ServerRole? victim)
    {
        victim = null;
        var address = connection.Pass!.Address;
        lock (_lock)
        {
            var verdict = Cap.Judge(_all.Count + 1, address.LetIn);
            if (verdict != CapVerdict.Granted)
            {
                victim = verdict == CapVerdict.Full ? VictimUnderLock() : OwnVictimUnderLock(address);
                if (victim is null)
                    return verdict == CapVerdict.Full ? RefusalReason.MaxConnections : RefusalReason.Reserved;
                RemoveUnderLock(victim);
                victim.GiveWayUnderLock();
            }

            _all.Add(connection);
            address.LetIn++;
            _waitingForPeer.AddLast(connection.RegistryNode);
        }

        // Its own loop adds it and takes it out, so that no lock is needed around both.
        connection.Serial = Interlocked.Increment(ref _lastSerial);
        connection.Place = Pages.Add(connection);
        return RefusalReason.None;
    }

    /// <summary>Its certificate is verified by now: only the last sixth is left, and that certificate has more than a
    /// sixth besides.</summary>
    public bool IsReservedFrom(ClientPass pass)
    {
        if (pass.Certificate is not { } certificate)
            return false;
        lock (_lock)
            return Cap.Judge(_all.Count, certificate.Connections - 1) == CapVerdict.Reserved;
    }

    public void Remove(ServerRole connection)
    {
        lock (_lock)
            RemoveUnderLock(connection);
        Pages.Remove(connection.Place, connection);
    }

    /// <summary>Its OPN is here and waits for us, or is done and the peer is next.</summary>
    public void SetWorking(ServerRole connection, bool working)
    {
        lock (_lock)
        {
            // One with an active session is in neither list, and stays out when it renews.
            if (connection.RegistryNode.List is null)
                return;
            MoveUnderLock(connection, working ? _working : _waitingForPeer);
        }
    }

    public void SetActiveSession(ServerRole connection, bool active)
    {
        lock (_lock)
        {
            if (!_all.Contains(connection))
                return;
            if (active)
                MoveUnderLock(connection, null);
            else if (connection.RegistryNode.List is null)
                _waitingForPeer.AddLast(connection.RegistryNode);
        }
    }

    /// <summary>Once, when it is known how many descriptors there are.</summary>
    public void Lower(int limit)
    {
        lock (_lock)
            _limit = Math.Min(_limit, limit);
    }

    public uint NextChannelId()
    {
        uint id;
        do
            id = Interlocked.Increment(ref _lastChannelId);
        while (id == 0);
        return id;
    }

    public ServerRole[] Snapshot()
    {
        lock (_lock)
            return [.. _all];
    }

    /// <summary>Of those that have waited longest, the one whose address holds most, so that a new connection does not
    /// make room for a flood; one that waits for us only where the other belongs to no crowd beside its own.</summary>
    private ServerRole? VictimUnderLock()
    {
        var silent = MostCrowded(_waitingForPeer, out var silentCrowd);
        if (silent is not null && silentCrowd > SmallCrowd)
            return silent;
        var working = MostCrowded(_working, out var workingCrowd);
        return silent is null || workingCrowd > CrowdRatio * silentCrowd ? working ?? silent : silent;
    }

    private ServerRole? OwnVictimUnderLock(ClientAccount address) =>
        OldestOf(_waitingForPeer, address) ?? OldestOf(_working, address);

    private static ServerRole? OldestOf(LinkedList<ServerRole> list, ClientAccount address)
    {
        var node = list.First;
        for (var i = 0; node is not null && i < Candidates; i++, node = node.Next)
        {
            if (ReferenceEquals(node.Value.Pass?.Address, address))
                return node.Value;
        }

        return null;
    }

    private static ServerRole? MostCrowded(LinkedList<ServerRole> list, out int crowd)
    {
        ServerRole? most = null;
        crowd = 0;
        var node = list.First;
        for (var i = 0; node is not null && i < Candidates; i++, node = node.Next)
        {
            var count = CrowdOf(node.Value);
            if (most is not null && count <= crowd)
                continue;
            (most, crowd) = (node.Value, count);
        }

        return most;
    }

    /// <summary>Connections of its address for each certificate that was verified there: many behind one load balancer
    /// are no crowd.</summary>
    private static int CrowdOf(ServerRole connection) => connection.Pass is { } pass
        ? pass.Address.Connections / Math.Max(1, pass.Address.VerifiedCertificates)
        : 0;

    private void RemoveUnderLock(ServerRole connection)
    {
        if (_all.Remove(connection))
            connection.Pass!.Address.LetIn--;
        MoveUnderLock(connection, null);
    }

    private static void MoveUnderLock(ServerRole connection, LinkedList<ServerRole>? list)
    {
        connection.RegistryNode.List?.Remove(connection.RegistryNode);
        list?.AddLast(connection.RegistryNode);
    }
}
