using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Publish.Items;
using Gateway.Publish.Subscriptions;
using Gateway.Transport.Timing;

namespace Gateway.Publish.Shards;

/// <summary>
/// Visits to all items of a subscription: its session has another user, another session has it, or its client wants all
/// values once more. The items of a small one are visited at once, those of a larger one by the shard's loop, in slices
/// of its lock, the subscriptions in turn. Until all visits of a session have ended it sends no values and repeats no
/// message of the subscription under review, so that nothing leaves that its present user may not read (R16), and
/// repeated messages leave together. An item that the user may not read keeps nothing, watches nothing and reports the
/// refusal once; it starts anew when a later user may read it. Owner: the shard, under its lock.
/// </summary>
internal sealed class ItemVisits(Shard shard, ItemStart start, PublishCounters counters, MonotonicClock clock)
{
    /// <summary>Of one call, all its subscriptions together.</summary>
    public const int ItemsAtOnce = 256;

    /// <summary>About a quarter of a millisecond.</summary>
    private const int ItemsPerSlice = 256;

    private readonly Queue<ItemVisit> _waiting = new();

    /// <summary>Begins anew where a visit has not ended, and then does that one's work, too.</summary>
    /// <param name="subscription">Of this shard.</param>
    /// <param name="kinds">The reasons of the visit.</param>
    /// <param name="atOnce">Items that may be visited before this returns; counted down.</param>
    public void BeginUnderLock(Subscription subscription, ItemVisitKinds kinds, ref int atOnce)
    {
        // Of items that are gone nobody can ask what its user may have.
        if (kinds.HasFlag(ItemVisitKinds.Review) && subscription.HasLeftGuarded)
        {
            subscription.HasLeftGuarded = false;
            DropKeptUnderLock(subscription);
        }

        var visit = new ItemVisit(subscription, kinds | (subscription.Visit?.Kinds ?? ItemVisitKinds.None));
        subscription.SetVisit(visit);
        var most = subscription.Items.Count <= atOnce ? subscription.Items.Count : 0;
        atOnce -= most;
        if (!GoOnUnderLock(visit, most))
            shard.Wake();
    }

    /// <summary>One slice. False: nothing waits.</summary>
    /// <param name="freed">A consumer that may be handed values again.</param>
    public bool StepUnderLock(out Consumer? freed)
    {
        freed = null;
        while (_waiting.TryDequeue(out var visit))
        {
            if (!visit.IsWanted)
                continue;
            if (GoOnUnderLock(visit, ItemsPerSlice) && visit.Subscription.Consumer.PendingVisits == 0)
                freed = visit.Subscription.Consumer;
            return true;
        }

        return false;
    }

    /// <summary>True: it has ended. Otherwise its turn comes again, also where an item met an error of ours: its
    /// session must not stay silent.</summary>
    private bool GoOnUnderLock(ItemVisit visit, int most)
    {
        try
        {
            var started = shard.Values.Parts.Work;
            for (; most > 0 && !visit.IsOver && shard.Values.Parts.Work - started <= ValueParts.WorkPerSlice; most--)
                VisitNextUnderLock(visit);
        }
        finally
        {
            if (visit.IsOver)
                visit.Subscription.SetVisit(null);
            else
                _waiting.Enqueue(visit);
        }

        return visit.IsOver;
    }

    private void VisitNextUnderLock(ItemVisit visit)
    {
        var item = visit.Next();
        item.IsAway = false;
        item.ExtrasOrNull?.Event?.Feed?.OnDrained(item);
        if (visit.Kinds.HasFlag(ItemVisitKinds.CatchUp))
            CatchUp(item);
        // A restored one whose node has not come back says so once; what it has is held until the node can be checked.
        if (item.Node.IsNone && item.Mode != MonitoringMode.Disabled && item.Kind == NotificationKind.DataChange)
            item.ExtrasOrNull!.Durable!.Tell(shard.Values.Make(new DataValue(StatusCodes.BadNodeIdUnknown)));
        // A disabled item is checked when it is enabled.
        var isReview = visit.Kinds.HasFlag(ItemVisitKinds.Review);
        var isDenied = item.WatcherIndex >= 0 && isReview && !start.RevisitUnderLock(shard, item, isReview: true);
        var isUnknown = visit.Kinds.HasFlag(ItemVisitKinds.OtherUser) && (item.IsOrphan || item.Node.IsNone);
        if (isReview && item.ExtrasOrNull?.Event is not null)
            shard.Events.ReviewUnderLock(item);
        if (isDenied || isUnknown || (isReview && DropsGuarded(item)))
            DropKeptUnderLock(visit);
        if (visit.Kinds.HasFlag(ItemVisitKinds.Resend))
            item.Resend(shard.Values);
    }

    /// <summary>Its user may not receive all that it has had.</summary>
    private static bool DropsGuarded(MonitoredItem item)
    {
        if (item.ExtrasOrNull?.Event is not { } watch || watch.MayKeep(item.Subscription.Consumer.Access))
            return false;
        item.DropGuarded();
        return true;
    }

    private void CatchUp(MonitoredItem item)
    {
        if (item.ExtrasOrNull?.Event is { HasLostAway: true } watch)
        {
            watch.HasLostAway = false;
            item.OnEventsLost(hasConditions: true);
        }

        if (!item.WatchesValue || shard.Store.Acquire(item.Node) is not { } current)
            return;
        item.CatchUp(current, clock.Now, shard.Values);
        current.Release();
    }

    /// <summary>Messages may hold values that must not be repeated any more, and batches ones that must not be read:
    /// with these the other items' values go, and come once more.</summary>
    private void DropKeptUnderLock(ItemVisit visit)
    {
        if (visit.Subscription.Consumer.DropUnreadUnderLock())
            visit.StartOver(ItemVisitKinds.Resend);
        DropKeptUnderLock(visit.Subscription);
    }

    /// <summary>Messages that wait for an acknowledgement are not repeated.</summary>
    public void DropKeptUnderLock(Subscription subscription)
    {
        lock (subscription.Consumer.Gate)
        {
            counters.AddRetransmissionBytes(-subscription.Retransmission.Bytes);
            subscription.Retransmission.Clear();
        }
    }
}
