using Gateway.Transport.Hosting;

namespace Gateway.Transport.Conversation;

/// <summary>
/// All connections of the server role. At the cap one without an active session makes room (R06): the one that has
/// waited longest for its peer (which said nothing, half a HEL, no OPN, no session), else the one whose OPN has waited
/// longest for us; one with an active session never. Touched when a connection comes, goes, has an OPN worked on, or
/// gains or loses its session; never by a message. Threads: any; its lock is a leaf.
/// </summary>
internal sealed class ChannelRegistry(TransportLimits limits)
{
    private readonly Lock _lock = new();
    private readonly LinkedList<ServerConnection> _waitingForPeer = new();
    private readonly LinkedList<ServerConnection> _working = new();
    private readonly HashSet<ServerConnection> _all = [];
    private int _limit = limits.MaxConnections;
    private uint _lastChannelId;

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

    /// <summary>Every place is taken by an active session: who comes now is refused.</summary>
    public bool IsFull
    {
        get
        {
            lock (_lock)
                return _all.Count >= _limit && VictimUnderLock() is null;
        }
    }

    /// <summary>False: full, and every connection has an active session.</summary>
    /// <param name="connection">The new one.</param>
    /// <param name="victim">Who makes room; to be ended by the caller.</param>
    public bool TryAdd(ServerConnection connection, out ServerConnection? victim)
    {
        victim = null;
        lock (_lock)
        {
            if (_all.Count >= _limit)
            {
                victim = VictimUnderLock();
                if (victim is null)
                    return false;
                RemoveUnderLock(victim);
            }

            _all.Add(connection);
            _waitingForPeer.AddLast(connection.RegistryNode);
            return true;
        }
    }

    public void Remove(ServerConnection connection)
    {
        lock (_lock)
            RemoveUnderLock(connection);
    }

    /// <summary>Its OPN is here and waits for us, or is done and the peer is next.</summary>
    public void SetWorking(ServerConnection connection, bool working)
    {
        lock (_lock)
        {
            // One with an active session is in neither list, and stays out when it renews.
            if (connection.RegistryNode.List is null)
                return;
            MoveUnderLock(connection, working ? _working : _waitingForPeer);
        }
    }

    public void SetActiveSession(ServerConnection connection, bool active)
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

    public ServerConnection[] Snapshot()
    {
        lock (_lock)
            return [.. _all];
    }

    private ServerConnection? VictimUnderLock() => (_waitingForPeer.First ?? _working.First)?.Value;

    private void RemoveUnderLock(ServerConnection connection)
    {
        _all.Remove(connection);
        MoveUnderLock(connection, null);
    }

    private static void MoveUnderLock(ServerConnection connection, LinkedList<ServerConnection>? list)
    {
        connection.RegistryNode.List?.Remove(connection.RegistryNode);
        list?.AddLast(connection.RegistryNode);
    }
}
