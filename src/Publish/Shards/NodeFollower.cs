using Gateway.AddressSpace.Nodes;
using Gateway.Publish.Items;

namespace Gateway.Publish.Shards;

/// <summary>Makes items follow the changes of their nodes. Control plane: it looks for the items concerned and visits
/// each again, in slices of their shard's lock. Threads: any; a node that it meets twice changes nothing the second
/// time.</summary>
internal sealed class NodeFollower(Shard[] shards, ItemStart start) : INodeListener
{
    private const int NodesPerSlice = 256;
    private const int ItemsPerSlice = 64;

    public void OnApplied(in NodeChanges changes)
    {
        foreach (var shard in shards)
        {
            Visit(shard, changes.Removed);
            Visit(shard, changes.Updated);
            if (changes.AddedCount > 0 && HasOrphans(shard))
                VisitOrphans(shard, changes);
        }
    }

    private static bool HasOrphans(Shard shard)
    {
        using (shard.Enter())
            return shard.Changes.Book.Orphans > 0;
    }

    private void Visit(Shard shard, IReadOnlyList<NodeHandle> nodes)
    {
        var found = new List<MonitoredItem>();
        for (var i = 0; i < nodes.Count;)
        {
            using (shard.Enter())
            {
                for (var end = Math.Min(nodes.Count, i + NodesPerSlice); i < end; i++)
                    shard.Changes.Book.Collect(nodes[i], found);
            }

            Visit(shard, found);
        }
    }

    private void VisitOrphans(Shard shard, in NodeChanges changes)
    {
        var found = new List<MonitoredItem>();
        for (var i = 0; i < changes.AddedCount;)
        {
            using (shard.Enter())
            {
                for (var end = Math.Min(changes.AddedCount, i + NodesPerSlice); i < end; i++)
                    shard.Changes.Book.Collect(changes.Added(i), found);
            }

            Visit(shard, found);
        }
    }

    private void Visit(Shard shard, List<MonitoredItem> found)
    {
        for (var i = 0; i < found.Count;)
        {
            using (shard.Enter())
            {
                var started = shard.Values.Parts.Work;
                for (var end = Math.Min(found.Count, i + ItemsPerSlice); i < end; i++)
                {
                    if (shard.Values.Parts.Work - started > ValueParts.WorkPerSlice)
                        break;
                    // Deleted, disabled or moved to another shard, which looks for itself, since it was found. On their
                    // way all are checked when they arrive.
                    var subscription = found[i].Subscription;
                    if (found[i].WatcherIndex >= 0 && ReferenceEquals(subscription.Shard, shard) &&
                        subscription.Away is null)
                        start.RevisitUnderLock(shard, found[i]);
                }
            }
        }

        found.Clear();
    }
}
