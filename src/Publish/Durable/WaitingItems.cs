using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Publish.Items;
using Gateway.Publish.Shards;

namespace Gateway.Publish.Durable;

/// <summary>Restored items whose node is not there yet: its upstream has not connected, or its namespace has no index.
/// They are looked for in turns, because a namespace must not get its index by an item that waits. Owner: the saver.
/// </summary>
internal sealed class WaitingItems(NodeTable nodes, ItemStart start)
{
    /// <summary>Of one turn: some milliseconds.</summary>
    private const int ItemsPerTurn = 10_000;

    private readonly Queue<MonitoredItem> _waiting = new();

    public int Count => _waiting.Count;

    public void Add(MonitoredItem item) => _waiting.Enqueue(item);

    public NodeHandle Find(string? namespaceUri, in NodeId id) =>
        nodes.Namespaces.TryGetIndex(namespaceUri, out var index)
            ? nodes.Find(id.WithNamespace(index))
            : default;

    public void Look()
    {
        for (var left = Math.Min(_waiting.Count, ItemsPerTurn); left > 0; left--)
        {
            var item = _waiting.Dequeue();
            if (!TryStart(item))
                _waiting.Enqueue(item);
        }
    }

    /// <summary>False: it goes on waiting.</summary>
    private bool TryStart(MonitoredItem item)
    {
        var durable = item.ExtrasOrNull!.Durable!;
        var node = Find(durable.MissingNode.NamespaceUri, durable.MissingNode.Id);
        if (node.IsNone)
            return durable.IsGone || item.Subscription.Durable is { IsEnded: true };
        while (true)
        {
            var consumer = item.Subscription.Consumer;
            lock (consumer.Shard.Lock)
            {
                if (!ReferenceEquals(consumer, item.Subscription.Consumer))
                    continue;
                if (item.Subscription.Away is not null)
                    return false;
                if (!durable.IsGone && item.Subscription.Durable is { IsEnded: false })
                    StartUnderLock(consumer, item, node);
                return true;
            }
        }
    }

    /// <summary>Its session, where it has one by now, may have a user who may not read it: then neither the queue nor a
    /// message that is kept stays (R16, R36).</summary>
    private void StartUnderLock(Consumer consumer, MonitoredItem item, NodeHandle node)
    {
        item.Node = node;
        item.ExtrasOrNull!.Durable!.Withdraw();
        if (item.Mode == MonitoringMode.Disabled)
            return;
        if (!consumer.IsClosed && (consumer.Access.CheckMonitor(node, item.Attribute).IsBad ||
            (item.Kind == NotificationKind.Event && consumer.Access.CheckEvents(node).IsBad)))
        {
            item.Clear();
            consumer.Shard.Visits.DropKeptUnderLock(item.Subscription);
            start.StartAgainUnderLock(consumer.Shard, item);
            return;
        }

        start.ResumeUnderLock(consumer.Shard, item);
        item.OnModeChanged();
    }
}
