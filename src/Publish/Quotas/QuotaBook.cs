using Gateway.Admission.Caps;
using Gateway.Admission.Stages;

namespace Gateway.Publish.Quotas;

/// <summary>
/// The caps on subscriptions, items and queue entries of a consumer, a user, a certificate, an address and the server
/// (R09, R46): an amount is taken from all or from none. Subscriptions that outlive their session go on counting.
/// Thread-safe.
/// </summary>
internal sealed class QuotaBook(PublishLimits limits, PublishCounters counters)
{
    private readonly UsageLimits _ofSession = UsageLimits.OfSession(limits);

    public HolderTable Users { get; } = new(UsageLimits.OfUser(limits));

    public HolderTable Certificates { get; } = new(UsageLimits.OfCertificate(limits));

    public HolderTable Addresses { get; } = new(UsageLimits.OfAddress(limits));

    /// <summary>Subscriptions without a session, which may be evicted.</summary>
    public DetachedSubscriptions Detached { get; } = new();

    /// <summary>The limits have changed.</summary>
    public void Follow()
    {
        _ofSession.Follow(UsageLimits.OfSession(limits));
        Users.Limits.Follow(UsageLimits.OfUser(limits));
        Certificates.Limits.Follow(UsageLimits.OfCertificate(limits));
        Addresses.Limits.Follow(UsageLimits.OfAddress(limits));
        counters.Server.Limits.Follow(UsageLimits.OfServer(limits));
    }

    public Usage NewSession() => new(_ofSession);

    /// <param name="consumer">The consumer that asks.</param>
    /// <param name="wanted">All of it, or nothing.</param>
    /// <param name="isExchange">The client has given up as much just now: the reserve is not its concern.</param>
    public QuotaVerdict TryTake(Consumer consumer, in Amount wanted, bool isExchange = false)
    {
        var held = isExchange ? default : consumer.Holders.Most;
        if (!consumer.Holders.TryTake(wanted))
            return QuotaVerdict.HolderFull;
        var verdict = counters.Server.TryTake(wanted, held);
        if (verdict == CapVerdict.Granted)
            return QuotaVerdict.Granted;
        consumer.Holders.Add(-wanted);
        if (verdict == CapVerdict.Full)
            return QuotaVerdict.ServerFull;
        counters.OnReserveKept();
        return QuotaVerdict.Reserved;
    }

    /// <summary>Why a verdict was not Granted: for the operator.</summary>
    public static RefusalReason ReasonOf(QuotaVerdict verdict, Consumer consumer, in Amount wanted) => verdict switch
    {
        QuotaVerdict.HolderFull => consumer.Holders.CapOn(wanted),
        QuotaVerdict.Reserved when wanted.Subscriptions > 0 => RefusalReason.ReservedSubscriptions,
        QuotaVerdict.Reserved => RefusalReason.ReservedItems,
        _ when wanted.Subscriptions > 0 => RefusalReason.MaxSubscriptions,
        _ => RefusalReason.MaxMonitoredItems,
    };

    /// <summary>Room for an item and its queue; the queue shrinks to one entry where a sum is used up.</summary>
    public QuotaVerdict TryTakeItem(Consumer consumer, ref int queueSize, bool isExchange = false)
    {
        var verdict = TryTake(consumer, Amount.Item, isExchange);
        if (verdict == QuotaVerdict.Granted)
            ResizeQueue(consumer, 0, ref queueSize);
        return verdict;
    }

    /// <summary>Room for a queue in place of another; it shrinks to one entry where a sum is used up.</summary>
    public void ResizeQueue(Consumer consumer, int oldSize, ref int queueSize)
    {
        var more = queueSize - oldSize;
        if (more > 0 && queueSize > 1)
        {
            if (TryTake(consumer, Amount.Queue(more)) == QuotaVerdict.Granted)
                return;
            counters.OnQueueRevised();
            queueSize = 1;
            more = 1 - oldSize;
        }

        AddToAll(consumer, Amount.Queue(more));
    }

    /// <summary>The amount that a holder had before the gateway was restarted, whatever the caps.</summary>
    public void Restore(Consumer consumer, in Amount amount) => AddToAll(consumer, amount);

    public void ReleaseItem(Consumer consumer, int queueSize) =>
        AddToAll(consumer, new Amount(0, -1, -queueSize));

    public void ReleaseSubscription(Consumer consumer) => AddToAll(consumer, -Amount.Subscription);

    /// <summary>A subscription goes from one session to another, perhaps of another user, certificate or address.
    /// False: one of the new caps does not allow it, and nothing has changed. The reserve is no matter: nothing is
    /// given that was not given before.</summary>
    public static bool TryMove(Consumer from, Consumer to, in Amount amount)
    {
        if (!to.Holders.TryTake(amount, from.Holders))
            return false;
        from.Holders.Add(-amount, to.Holders);
        return true;
    }

    /// <summary>The server has not so many queue entries left, as far as the session may have them.</summary>
    public bool IsShortOfQueue(Consumer consumer, long entries) =>
        new FairCap(limits.MaxQueuedValues).Judge(
            counters.Server.QueuedValues + entries, consumer.Holders.Most.QueuedValues) == CapVerdict.Full;

    private void AddToAll(Consumer consumer, in Amount change)
    {
        consumer.Holders.Add(change);
        counters.Server.Add(change);
    }
}
