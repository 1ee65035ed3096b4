using System.Runtime.ExceptionServices;
using Gateway.AddressSpace.Listening;
using Gateway.AddressSpace.Nodes;

namespace Gateway.AddressSpace.Values;

/// <summary>
/// Which shards watch which node, for telling sources of the first and the last. Listeners are called outside the lock,
/// for one node never by two threads at a time, and end with the truth: a thread that changes a node while another
/// one is in its listeners leaves the next call to that one. Control plane: one entry a watched node.
/// </summary>
internal sealed class InterestBook(
    ListenerList<IInterestListener> listeners, Action<IInterestListener, NodeHandle, bool> tell)
{
    private readonly Lock _lock = new();
    private readonly Dictionary<NodeHandle, Interest> _nodes = [];

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

    /// <summary>Until the listeners know the truth; the exception of the first of them comes out then. Otherwise a
    /// failure would leave the node marked as being announced, and no later call would announce it again.</summary>
    private void Announce(NodeHandle node)
    {
        ExceptionDispatchInfo? failure = null;
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
                    break;
            }

#pragma warning disable CA1031 // It is thrown again, when the book is in order.
            try
            {
                listeners.Tell((tell, node, wanted), static (one, told) => told.tell(one, told.node, told.wanted));
            }
            catch (Exception error)
#pragma warning restore CA1031
            {
                failure ??= ExceptionDispatchInfo.Capture(error);
            }
        }

        failure?.Throw();
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
