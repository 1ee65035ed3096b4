namespace Gateway.PubSub.Readers;

/// <summary>The bytes of nodes that all readers together have made. The address space keeps the names of a node that
/// has gone, and anybody who can send metadata can have nodes made: so nothing of it comes back before a restart (R42).
/// Owner: the readers. Threads: any.</summary>
/// <param name="most"><see cref="PubSubLimits.MaxPubSubReaderBytes"/>.</param>
internal sealed class NodeBudget(long most)
{
    private readonly Lock _lock = new();
    private long _used;

    /// <summary>False: that much is not left, and nothing is taken.</summary>
    public bool TryTake(long bytes)
    {
        lock (_lock)
        {
            if (bytes > most - _used)
                return false;
            _used += bytes;
            return true;
        }
    }
}
