using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Publish.Durable;
using Gateway.Publish.Services;
using Gateway.Publish.Sessions;
using Gateway.Publish.Shards;
using Gateway.Publish.Subscriptions;

namespace Gateway.Publish;

/// <summary>
/// A session as the publish engine sees it: its subscriptions, its held Publish requests, the channel it sends on.
/// Each service returns its response, with the service's own result in the ResponseHeader, whose other fields are the
/// caller's to fill in. The gate guards the ring of Publish requests and what acknowledgements touch. A Publish that is
/// merely held takes the gate only.
/// </summary>
public sealed class PublishSession : Consumer
{
    private readonly Queue<StatusChange> _statusChanges = new();

    internal PublishSession(
        PublishEngine engine, Shard shard, INotificationOutput output, IItemAccess access, SessionOwner owner)
        : base(engine, shard, access, owner)
    {
        Output = output;
        Requests = new PublishRequestQueue(engine.Limits.MaxPublishRequestsPerSession);
        Deadline = new DeadlineEntry(this);
    }

    /// <summary>Publish requests that wait for something to send.</summary>
    public int HeldPublishRequests
    {
        get
        {
            lock (Gate)
                return Requests.Count;
        }
    }

    /// <summary>Publish requests that were held and then answered with a ServiceFault. Written under the shard's lock.
    /// </summary>
    public uint RefusedPublishRequests { get; internal set; }

    /// <summary>Of its subscriptions, those that are durable.</summary>
    public int DurableCount
    {
        get
        {
            lock (Gate)
                return Subscriptions.Count(static one => one.Durable is not null);
        }
    }

    internal override bool HasPublicSubscriptions => true;

    internal PublishRequestQueue Requests { get; }

    /// <summary>Messages ever sent: orders equals among the subscriptions. Under the shard's lock.</summary>
    internal long Served { get; set; }

    internal DeadlineEntry Deadline { get; }

    /// <summary>For when the deadline entry is scheduled, or about to be. Under the gate.</summary>
    internal long ScheduledDeadline { get; set; } = long.MaxValue;

    internal bool IsDeadlinePosted { get; set; }

    /// <summary>Subscriptions that arrive after the session was closed are deleted with its others.</summary>
    internal bool DeletesSubscriptions { get; set; }

    /// <summary>The same for durable ones.</summary>
    internal bool DeletesDurable { get; set; }

    /// <summary>Closed with the process, and to be activated again in the next one.</summary>
    internal bool IsLeft { get; set; }

    /// <summary>The next process may make the session of it. Under the gate.</summary>
    internal ISessionMemo? MemoUnderGate => IsLeft || (!IsClosed && HasMemoUnderGate) ? Owner.Memo : null;

    internal int StatusChanges => _statusChanges.Count;

    public CreateSubscriptionResponse CreateSubscription(CreateSubscriptionRequest request) =>
        Engine.SubscriptionService.Create(this, request);

    public ModifySubscriptionResponse ModifySubscription(ModifySubscriptionRequest request) =>
        Engine.SubscriptionService.Modify(this, request);

    public SetPublishingModeResponse SetPublishingMode(SetPublishingModeRequest request) =>
        SubscriptionService.SetPublishingMode(this, request);

    public DeleteSubscriptionsResponse DeleteSubscriptions(DeleteSubscriptionsRequest request) =>
        Engine.SubscriptionService.Delete(this, request);

    /// <summary>The extra cost of creating an item: the size of the value of which it watches a part; 0 if it watches
    /// the whole.</summary>
    public int BytesToCut(MonitoredItemCreateRequest request) => Engine.MonitoredItemService.BytesToCut(request);

    public CreateMonitoredItemsResponse CreateMonitoredItems(CreateMonitoredItemsRequest request) =>
        Engine.MonitoredItemService.Create(this, request);

    public DeleteMonitoredItemsResponse DeleteMonitoredItems(DeleteMonitoredItemsRequest request) =>
        Engine.MonitoredItemService.Delete(this, request);

    public ModifyMonitoredItemsResponse ModifyMonitoredItems(ModifyMonitoredItemsRequest request) =>
        Engine.ItemChangeService.Modify(this, request);

    public SetMonitoringModeResponse SetMonitoringMode(SetMonitoringModeRequest request) =>
        Engine.ItemChangeService.SetMode(this, request);

    public SetTriggeringResponse SetTriggering(SetTriggeringRequest request) =>
        Engine.ItemChangeService.SetTriggering(this, request);

    /// <summary><see cref="Serve"/> sends the messages that are ready afterwards, behind the response.</summary>
    public TransferSubscriptionsResponse TransferSubscriptions(TransferSubscriptionsRequest request) =>
        Engine.TransferService.Transfer(this, request);

    /// <summary>Becomes the owner of what a session of the process before has left. A subscription that has ended, or
    /// that another session has taken over meanwhile, stays as it is.</summary>
    public void TakeBack(RestoredSession left) => Engine.TransferService.TakeBack(this, left);

    /// <summary>The transfer of one subscription to this session, to be taken step by step.</summary>
    public SubscriptionTransfer BeginTransfer(uint subscriptionId, bool sendInitialValues) =>
        Engine.TransferService.Begin(this, subscriptionId, sendInitialValues);

    /// <summary>Sends the ready notifications to the held requests.</summary>
    public void Serve()
    {
        using (Shard.Enter())
            Shard.Sender.ServeUnderLock(this, Engine.Clock.Now);
    }

    /// <summary>Errors: Bad_SubscriptionIdInvalid; Bad_UserAccessDenied for another session's. Source: Part 5 §9.1.
    /// </summary>
    public StatusCode GetMonitoredItems(uint subscriptionId, out uint[] serverHandles, out uint[] clientHandles) =>
        Engine.SessionMethodService.GetMonitoredItems(this, subscriptionId, out serverHandles, out clientHandles);

    /// <summary>ConditionRefresh, and ConditionRefresh2 of one item. Errors: those of
    /// <see cref="RefreshService.Refresh"/>.</summary>
    public StatusCode RefreshConditions(uint subscriptionId, uint? itemId) =>
        Engine.RefreshService.Refresh(this, subscriptionId, itemId);

    /// <summary>Errors: as <see cref="GetMonitoredItems"/>. Source: Part 5 §9.2.</summary>
    /// <param name="subscriptionId">Its own.</param>
    /// <param name="items">Looked at.</param>
    public StatusCode ResendData(uint subscriptionId, out int items) =>
        Engine.SessionMethodService.ResendData(this, subscriptionId, out items);

    /// <summary>Its queues and its state outlive the process from now on, and it lives so long without its client.
    /// Errors: as <see cref="GetMonitoredItems"/>; Bad_InvalidState where it has items, Bad_TooManySubscriptions,
    /// Bad_ResourceUnavailable. Source: Part 5 §9.3, Part 4 §6.8.</summary>
    /// <param name="subscriptionId">Its own.</param>
    /// <param name="hours">0: as long as may be.</param>
    /// <param name="revisedHours">In effect.</param>
    public StatusCode SetSubscriptionDurable(uint subscriptionId, uint hours, out uint revisedHours) =>
        Engine.DurableService.Set(this, subscriptionId, hours, out revisedHours);

    /// <summary>A slice of the review that a Republish has to wait for: what is kept may hold values that the session's
    /// present user may not read. True: there is none (any more).</summary>
    public bool TryReview(uint subscriptionId)
    {
        using (Shard.Enter())
        {
            if (Find(subscriptionId) is not { IsUnderReview: true })
                return true;
        }

        Shard.TryVisitItems();
        return false;
    }

    /// <summary>Errors: Bad_SubscriptionIdInvalid; Bad_MessageNotAvailable, also as long as <see cref="TryReview"/> is
    /// false.</summary>
    /// <param name="subscriptionId">Of this session.</param>
    /// <param name="sequenceNumber">Of the message.</param>
    /// <param name="message">A NotificationMessage in UA Binary, as it was sent.</param>
    public StatusCode Republish(uint subscriptionId, uint sequenceNumber, out byte[] message) =>
        PublishService.Republish(this, subscriptionId, sequenceNumber, out message);

    /// <summary>
    /// Holds the request, or answers it at once where something is LATE. Good: the engine answers it, now or later,
    /// with a PublishResponse or a ServiceFault. Errors: Bad_NoSubscription, Bad_SessionClosed, Bad_TooManyOperations;
    /// the caller answers then.
    /// </summary>
    public StatusCode Publish(
        uint requestId, in RequestHeader header, ReadOnlySpan<SubscriptionAcknowledgement> acknowledgements) =>
        Engine.PublishService.Publish(this, requestId, header, acknowledgements);

    /// <summary>Answers the held requests with this handle by Bad_RequestCancelledByClient. Returns their number.
    /// </summary>
    public int Cancel(uint requestHandle) => PublishService.Cancel(this, requestHandle);

    /// <summary>Drops a held request whose client no longer waits, so that no notification goes with it.</summary>
    public void Forget(uint requestId)
    {
        lock (Gate)
            Requests.Remove(requestId);
    }

    /// <summary>Sums over its subscriptions, of which there are few: one slice of the shard's lock.</summary>
    public SessionTotals ReadTotals()
    {
        var (notifications, late, lateCycles, overflows) = (0L, 0, 0L, 0L);
        using (Shard.Enter())
        {
            foreach (var subscription in Subscriptions)
            {
                ref readonly var counts = ref subscription.Counts;
                notifications += counts.DataChanges + counts.Events;
                late += subscription.State == SubscriptionState.Late ? 1 : 0;
                lateCycles += counts.Late;
                overflows += counts.QueueOverflows;
            }
        }

        return new SessionTotals(notifications, late, lateCycles, overflows, Holders.Session.QueuedValues);
    }

    /// <summary>Of its subscriptions, for diagnostics.</summary>
    public void ReadSubscriptionDiagnostics(List<SubscriptionDiagnosticsDataType> into) =>
        DiagnosticsService.ReadOf(this, into);

    /// <summary>The session goes on on another channel, perhaps with another user, as in <see cref="ChangeUser"/>:
    /// requests that came by the old channel cannot be answered any more and are dropped.</summary>
    public void Rebind(INotificationOutput output, IItemAccess access, SessionOwner owner)
    {
        using (Shard.Enter())
        {
            if (!ReferenceEquals(output, Output))
                DiscardRequestsUnderLock();
            if (IsClosed)
                return;
            Output = output;
            ChangeOwnerUnderLock(access, owner);
        }
    }

    /// <summary>The session goes on on its channel with another user. Until the loop of the shard, or this call if
    /// there are few, has checked all items against the user's rights, no value leaves (R16).</summary>
    public void ChangeUser(IItemAccess access, SessionOwner owner)
    {
        using (Shard.Enter())
        {
            if (!IsClosed)
                ChangeOwnerUnderLock(access, owner);
        }
    }

    /// <summary>The channel is gone and the session may come back on another one: its requests are dropped, its
    /// subscriptions become LATE when they have something to say. It may have come back already: then its requests are
    /// those of the other one.</summary>
    public void LoseOutput()
    {
        using (Shard.Enter())
        {
            if (!Output.IsOpen)
                DiscardRequestsUnderLock();
        }
    }

    private bool HasMemoUnderGate =>
        Owner.Memo is not null && Subscriptions.All(static one => one.Durable is not null);

    private void DiscardRequestsUnderLock()
    {
        lock (Gate)
        {
            while (Requests.TryDequeue(out _))
            {
            }
        }
    }

    /// <summary>Ahead of its end with the process. A session whose subscriptions are all durable can be activated again
    /// in the next one. Any other client has to make subscriptions anew, and so a session.</summary>
    public void Leave()
    {
        lock (Gate)
            IsLeft = !IsClosed && HasMemoUnderGate;
    }

    /// <summary>Ends the session. Held requests are answered Bad_SessionClosed, or Bad_ServerHalted behind
    /// <see cref="Leave"/>. Subscriptions that are not deleted live on until their lifetime ends.</summary>
    public void Close(bool deleteSubscriptions) => Close(deleteSubscriptions, deleteSubscriptions);

    /// <summary>As the other. Durable subscriptions outlive a session that ends for another reason than its client's
    /// wish. Source: Part 4 §6.8.</summary>
    public void Close(bool deleteSubscriptions, bool deleteDurable) =>
        Engine.PublishService.Close(this, deleteSubscriptions, deleteDurable);

    internal bool Deletes(Subscription subscription) =>
        subscription.Durable is null ? DeletesSubscriptions : DeletesDurable;

    /// <summary>To the Publish requests that are held.</summary>
    internal override bool ServeUnderLock(long now)
    {
        var sent = Shard.Sender.ServeUnderLock(this, now);
        return IsDeadlineDue ? Shard.Sender.ExpireUnderLock(this, now) | sent : sent;
    }

    internal override bool ServeInTurnUnderLock(long now) => Shard.Sender.ServeUnderLock(this, now, isInTurn: true);

    /// <summary>Nothing of its channel and its user is held any longer.</summary>
    internal void DetachUnderLock()
    {
        Output = NoOutput.Instance;
        Access = NoOutput.Instance;
    }

    internal override void AddStatusChange(in StatusChange change)
    {
        lock (Gate)
        {
            // One for each subscription that can have been there is enough; the oldest goes.
            if (_statusChanges.Count >= Engine.Limits.MaxSubscriptionsPerSession)
                _statusChanges.Dequeue();
            _statusChanges.Enqueue(change);
        }
    }

    internal bool TryTakeStatusChange(out StatusChange change)
    {
        lock (Gate)
            return _statusChanges.TryDequeue(out change);
    }

    internal override void MarkClosedUnderGate()
    {
        base.MarkClosedUnderGate();
        _statusChanges.Clear();
    }
}
