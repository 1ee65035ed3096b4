using Gateway.Transport.Hosting;

namespace Gateway.Transport.Conversation;

/// <summary>All connections of the server role, and in order of age those without an active session. At the cap the
/// oldest of these makes room (R06); one with an active session is never the victim. Touched when a connection comes,
/// goes, or gains or loses its session; never by a message. Threads: any; its lock is a leaf.</summary>
internal sealed class ChannelRegistry(TransportLimits limits)
{
    private readonly Lock _lock = new();
    private readonly LinkedList<ServerConnection> _withoutSession = new();
    private readonly HashSet<ServerConnection> _all = [];
    private uint _lastChannelId;

    public int Count
    {
        get
        {
            lock (_lock)
                return _all.Count;
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
            if (_all.Count >= limits.MaxConnections)
            {
                victim = _withoutSession.First?.Value;
                if (victim is null)
                    return false;
                RemoveUnderLock(victim);
            }

            _all.Add(connection);
            _withoutSession.AddLast(connection.RegistryNode);
            return true;
        }
    }

    public void Remove(ServerConnection connection)
    {
        lock (_lock)
            RemoveUnderLock(connection);
    }

    public void SetActiveSession(ServerConnection connection, bool active)
    {
        lock (_lock)
        {
            if (!_all.Contains(connection))
                return;
            if (active && connection.RegistryNode.List is not null)
                _withoutSession.Remove(connection.RegistryNode);
            else if (!active && connection.RegistryNode.List is null)
                _withoutSession.AddLast(connection.RegistryNode);
        }
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

    private void RemoveUnderLock(ServerConnection connection)
    {
        _all.Remove(connection);
        if (connection.RegistryNode.List is not null)
            _withoutSession.Remove(connection.RegistryNode);
    }
}
