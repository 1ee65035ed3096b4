using Gateway.AddressSpace.Nodes;

namespace Gateway.AddressSpace.Values;

/// <summary>
/// Which shards watch which node, for telling sources of the first and the last. The listener is called outside the
/// lock, for one node never twice at a time, and ends with the truth: whoever changes a node while another thread is in
/// its listener leaves the next call to that thread. Control plane: one entry a watched node.
/// </summary>
internal sealed class InterestBook
{
    private readonly Lock _lock = new();
    private readonly Dictionary<NodeHandle, Interest> _nodes = [];

    public IInterestListener? Listener { get; set; }

    public void Add(NodeHandle node, int shard) => Change(node, 1UL << shard, wanted: true);

    public void Remove(NodeHandle node, int shard) => Change(node, 1UL << shard, wanted: false);

    private void Change(NodeHandle node, ulong bit, bool wanted)
    {
        lock (_lock)
        {
            var interest = _nodes.GetValueOrDefault(node);
            interest.Shards = wanted ? interest.Shards | bit : interest.Shards & ~bit;
            var calls = !interest.Calling && interest.Announced != (interest.Shards != 0);
            interest.Calling |= calls;
            PutUnderLock(node, interest);
            if (!calls)
                return;
        }

        Announce(node);
    }

    private void Announce(NodeHandle node)
    {
        while (true)
        {
            bool wanted;
            lock (_lock)
            {
                var interest = _nodes.GetValueOrDefault(node);
                wanted = interest.Shards != 0;
                interest.Calling = interest.Announced != wanted;
                interest.Announced = wanted;
                PutUnderLock(node, interest);
                if (!interest.Calling)
                    return;
            }

            Listener?.OnInterest(node, wanted);
        }
    }

    private void PutUnderLock(NodeHandle node, Interest interest)
    {
        if (interest is { Shards: 0, Announced: false, Calling: false })
            _nodes.Remove(node);
        else
            _nodes[node] = interest;
    }

    private struct Interest
    {
        public ulong Shards;
        public bool Announced;
        public bool Calling;
    }
}
