using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Sources;
using Gateway.AddressSpace.Values;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Publish.Items;
using Gateway.Transport.Timing;

namespace Gateway.Publish.Shards;

/// <summary>How an item comes to its first value: when it is created, when it is enabled again, and when its node has
/// come, gone or changed. Source: Part 4 §5.13.1.3, §5.13.1.6.</summary>
internal sealed class ItemStart(
    NodeTable nodes, ValueStore store, MonotonicClock clock, PublishCounters counters)
{
    /// <summary>For the first value of a source that has to be asked; then the client gets a status that says that it
    /// goes on waiting. A controller answers within a few of its publishing intervals.</summary>
    private static readonly long FirstValuePatience = TimeSpan.FromSeconds(5).Ticks;

    /// <summary>A value that the store does not have: another attribute, or one that its source reads at once. Null
    /// where the store has it, or its source has to be asked; the caller releases it. A source that throws has given
    /// Bad_InternalError.</summary>
    public SharedValue? FindInitial(IItemAccess access, NodeHandle node, AttributeId attribute)
    {
        if (attribute != AttributeId.Value)
        {
            StatusCode status = StatusCodes.Good;
            if (!access.TryReadUserAttribute(node, attribute, out var value))
                status = nodes.ReadAttribute(node, attribute, out value);
            return store.Make(new DataValue(value, status));
        }

        if (store.Contains(node))
            return null;
        if (nodes.SourceOf(node) is not { } source)
            return store.Make(new DataValue(StatusCodes.BadWaitingForInitialData));
        return TryRead(source, node, out var read) ? store.Make(read) : null;
    }

    private bool TryRead(INodeSource source, NodeHandle node, out DataValue value)
    {
#pragma warning disable CA1031 // A source that throws must not undo the item, nor stop the batch of its node.
        try
        {
            return source.TryRead(node, 0, out value);
        }
        catch (Exception error)
#pragma warning restore CA1031
        {
            counters.OnSourceFailed(error);
            value = new DataValue(StatusCodes.BadInternalError);
            return true;
        }
    }

    /// <summary>Of the value that the store has now; 0 for none.</summary>
    public int BytesOf(NodeId node) => store.EncodedLengthOf(nodes.Find(node));

    /// <summary>Watches the node first and reads the store then, so that no change is lost between. Without a value the
    /// item waits for the first one, or for its source's status. Takes over the initial value's reference.</summary>
    public void StartUnderLock(
        Shard shard, MonitoredItem item, SharedValue? initial, NotificationBits bits = NotificationBits.None)
    {
        if (item.ExtrasOrNull?.Event is { } watch)
            watch.SeesAudit = item.Subscription.Consumer.Access.SeesAudit;
        shard.Changes.WatchUnderLock(item);
        var version = 0L;
        if (item.Attribute == AttributeId.Value && store.Acquire(item.Node) is { } current)
        {
            initial?.Release();
            initial = current;
            version = current.Version;
        }

        if (initial is null)
            item.AwaitInitial(clock.Now + FirstValuePatience, bits);
        else
            item.TakeInitial(initial, version, bits, shard.Values);
        if (!nodes.Exists(item.Node))
            RevisitUnderLock(shard, item);
    }

    /// <summary>For an item that was restored: the last value that it has seen stays the one that changes are compared
    /// with. All changes of meanwhile come as one.</summary>
    public void ResumeUnderLock(Shard shard, MonitoredItem item)
    {
        shard.Changes.WatchUnderLock(item);
        if (item.Attribute != AttributeId.Value)
        {
            item.OnValue(FindInitial(item.Subscription.Consumer.Access, item.Node, item.Attribute)!, shard.Values);
        }
        else if (store.Acquire(item.Node) is { } current)
        {
            item.OnChange(current, NotificationBits.None, clock.Now, shard.Values);
            current.Release();
        }
        else if (item.Last is null)
        {
            item.AwaitInitial(clock.Now + FirstValuePatience, NotificationBits.None);
        }
    }

    /// <summary>For an item whose node may be gone by now, or hidden from its user: it was disabled, or its session has
    /// got another user.</summary>
    public void StartAgainUnderLock(Shard shard, MonitoredItem item)
    {
        item.IsOrphan = true;
        shard.Changes.WatchUnderLock(item);
        RevisitUnderLock(shard, item);
    }

    /// <summary>Brings an item in line with the present state of its node: gone (reported once, by a status), back
    /// under its NodeId, hidden from the item's user (then it keeps nothing either: R16, R36), or with another
    /// attribute. Does nothing where nothing has changed.</summary>
    /// <param name="isReview">Its user may be another one, or have other rights, than when its values were queued.
    /// </param>
    /// <returns>False when its user has lost the right to read it.</returns>
    public bool RevisitUnderLock(Shard shard, MonitoredItem item, bool isReview = false)
    {
        var node = item.Node;
        if (!nodes.Exists(node))
            node = nodes.Find(nodes.GetNodeId(node));
        var consumer = item.Subscription.Consumer;
        var access = consumer.Access;
        var status = Check(consumer.IsClosed ? null : access, node, item.Attribute);
        if (status.IsBad)
            return LoseUnderLock(shard, item, status, isDenied: !node.IsNone, isReview);
        if (item.IsOrphan || node != item.Node)
            MoveUnderLock(shard, item, node, access);
        else if (item.Attribute != AttributeId.Value)
            item.OnValue(FindInitial(access, node, item.Attribute)!, shard.Values);
        return true;
    }

    /// <param name="access">Null where the session is closed: nothing is sent, and a transfer has the subscription
    /// reviewed.</param>
    /// <param name="node">Where the item is or goes.</param>
    /// <param name="attribute">Which it watches.</param>
    private StatusCode Check(IItemAccess? access, NodeHandle node, AttributeId attribute)
    {
        if (node.IsNone)
            return StatusCodes.BadNodeIdUnknown;
        var status = access?.CheckMonitor(node, attribute) ?? StatusCode.Good;
        if (status.IsGood && attribute == AttributeId.EventNotifier)
            status = access?.CheckEvents(node) ?? StatusCode.Good;
        if (status.IsBad || (attribute == AttributeId.Value && nodes.GetNodeClass(node) == NodeClass.Variable))
            return status;
        return nodes.ReadAttribute(node, attribute, out _);
    }

    /// <summary>Under review a node that is gone counts as a hidden one: its rules went with it, and nobody can say who
    /// may have what was queued.</summary>
    private bool LoseUnderLock(Shard shard, MonitoredItem item, StatusCode status, bool isDenied, bool isReview)
    {
        var isNew = !item.IsOrphan;
        var isLost = (isDenied && isNew) || ((isDenied || isReview) && HoldsMoreThan(item, status));
        if (isNew)
            shard.Changes.UnwatchUnderLock(item);
        if (isLost)
            item.Clear();
        if (isNew)
        {
            item.IsOrphan = true;
            shard.Changes.WatchUnderLock(item);
        }

        item.OnValue(store.Make(new DataValue(status)), shard.Values);
        return !isLost || !isDenied;
    }

    private static bool HoldsMoreThan(MonitoredItem item, StatusCode told) =>
        item.Queue.Count > 1 || item.Last is not { } last || last.Status.CodeBits != told.CodeBits;

    private void MoveUnderLock(Shard shard, MonitoredItem item, NodeHandle node, IItemAccess access)
    {
        var (before, after) = (nodes.GetVariableFacts(item.Node), nodes.GetVariableFacts(node));
        var bits = before.DataType == after.DataType && before.ValueRank == after.ValueRank
            ? NotificationBits.None
            : NotificationBits.StructureChanged;
        shard.Changes.UnwatchUnderLock(item);
        item.IsOrphan = false;
        item.Node = node;
        StartUnderLock(shard, item, FindInitial(access, node, item.Attribute), bits);
    }
}
