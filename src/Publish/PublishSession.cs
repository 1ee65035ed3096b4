using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Publish.Quotas;
using Gateway.Publish.Services;
using Gateway.Publish.Sessions;
using Gateway.Publish.Shards;
using Gateway.Publish.Subscriptions;

namespace Gateway.Publish;

/// <summary>
/// A session as the publish engine sees it: its subscriptions, its held Publish requests, the channel it sends on.
/// Each service returns its response, with the service's own result in the ResponseHeader, whose other fields are the
/// caller's to fill in. Threads: all members from any; none blocks for longer than a slice of its shard.
/// Locks: the shard's lock guards the subscriptions and their items; <see cref="Gate"/> guards the ring of Publish
/// requests, <see cref="Waiting"/> and what acknowledgements touch, and is taken inside the shard's lock or alone. The
/// list of subscriptions changes under both and is read under either. A Publish that is merely held takes the gate
/// only.
/// </summary>
public sealed class PublishSession
{
    private readonly PublishEngine _engine;
    private readonly Queue<StatusChange> _statusChanges = new();
    private long _arrivals;
    private bool _hasLeftHolders;

    internal PublishSession(
        PublishEngine engine, Shard shard, INotificationOutput output, IItemAccess access, SessionOwner owner)
    {
        Owner = owner;
        Holders = new SessionHolders(engine.Quotas, owner);
        _engine = engine;
        Shard = shard;
        Output = output;
        Access = access;
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

    public int SubscriptionCount
    {
        get
        {
            lock (Gate)
                return Subscriptions.Count;
        }
    }

    /// <summary>Publish requests that were held and then answered with a ServiceFault. Written under the shard's lock.
    /// </summary>
    public uint RefusedPublishRequests { get; internal set; }

    public int MonitoredItemCount => Holders.Session.Items;

    internal Shard Shard { get; }

    internal Lock Gate { get; } = new();

    internal INotificationOutput Output { get; private set; }

    internal IItemAccess Access { get; private set; }

    internal SessionOwner Owner { get; private set; }

    /// <summary>What it has counts for these.</summary>
    internal SessionHolders Holders { get; }

    internal List<Subscription> Subscriptions { get; } = [];

    /// <summary>Removed ones whose items are still counted, and ones on their way from here or to here. Under the
    /// shard's lock.</summary>
    internal int LeavingSubscriptions { get; set; }

    internal PublishRequestQueue Requests { get; }

    /// <summary>Something is ready and no request was there: the next one is answered on the thread that brings it.
    /// </summary>
    internal bool Waiting { get; set; }

    /// <summary>Publish requests ever received: how subscriptions notice that the client lives.</summary>
    internal long Arrivals => Volatile.Read(ref _arrivals);

    /// <summary>Subscriptions that want a Publish request now. Under the shard's lock.</summary>
    internal int ReadySubscriptions { get; set; }

    /// <summary>Its subscriptions whose items are being visited: until none is, it sends no values. Under the shard's
    /// lock.</summary>
    internal int PendingVisits { get; set; }

    /// <summary>Messages ever sent: orders equals among the subscriptions. Under the shard's lock.</summary>
    internal long Served { get; set; }

    /// <summary>The subscriptions of the sweep at hand. Under the shard's lock.</summary>
    internal Subscription? FirstDue { get; set; }

    internal DeadlineEntry Deadline { get; }

    /// <summary>Deadline is due in the sweep at hand. Under the shard's lock.</summary>
    internal bool IsDeadlineDue { get; set; }

    /// <summary>For when the deadline entry is scheduled, or about to be. Under the gate.</summary>
    internal long ScheduledDeadline { get; set; } = long.MaxValue;

    internal bool IsDeadlinePosted { get; set; }

    /// <summary>No request comes any more; what is left of the subscriptions ends with its lifetime.</summary>
    internal bool IsClosed { get; private set; }

    /// <summary>What arrives after it was closed goes with its others.</summary>
    internal bool DeletesSubscriptions { get; set; }

    internal int StatusChanges => _statusChanges.Count;

    public CreateSubscriptionResponse CreateSubscription(CreateSubscriptionRequest request) =>
        _engine.SubscriptionService.Create(this, request);

    public ModifySubscriptionResponse ModifySubscription(ModifySubscriptionRequest request) =>
        _engine.SubscriptionService.Modify(this, request);

    public SetPublishingModeResponse SetPublishingMode(SetPublishingModeRequest request) =>
        SubscriptionService.SetPublishingMode(this, request);

    public DeleteSubscriptionsResponse DeleteSubscriptions(DeleteSubscriptionsRequest request) =>
        _engine.SubscriptionService.Delete(this, request);

    /// <summary>What creating an item costs besides: the size of the value that it watches a part of; 0 where it
    /// watches the whole.</summary>
    public int BytesToCut(MonitoredItemCreateRequest request) => _engine.MonitoredItemService.BytesToCut(request);

    public CreateMonitoredItemsResponse CreateMonitoredItems(CreateMonitoredItemsRequest request) =>
        _engine.MonitoredItemService.Create(this, request);

    public DeleteMonitoredItemsResponse DeleteMonitoredItems(DeleteMonitoredItemsRequest request) =>
        _engine.MonitoredItemService.Delete(this, request);

    public ModifyMonitoredItemsResponse ModifyMonitoredItems(ModifyMonitoredItemsRequest request) =>
        _engine.ItemChangeService.Modify(this, request);

    public SetMonitoringModeResponse SetMonitoringMode(SetMonitoringModeRequest request) =>
        _engine.ItemChangeService.SetMode(this, request);

    public SetTriggeringResponse SetTriggering(SetTriggeringRequest request) =>
        _engine.ItemChangeService.SetTriggering(this, request);

    /// <summary>What is ready afterwards is sent by <see cref="Serve"/>, behind the response.</summary>
    public TransferSubscriptionsResponse TransferSubscriptions(TransferSubscriptionsRequest request) =>
        _engine.TransferService.Transfer(this, request);

    /// <summary>The transfer of one subscription to this session, to be taken step by step.</summary>
    public SubscriptionTransfer BeginTransfer(uint subscriptionId, bool sendInitialValues) =>
        _engine.TransferService.Begin(this, subscriptionId, sendInitialValues);

    /// <summary>Sends what is ready to the requests that are held.</summary>
    public void Serve()
    {
        lock (Shard.Lock)
            Shard.Sender.ServeUnderLock(this, _engine.Clock.Now);
    }

    /// <summary>Errors: Bad_SubscriptionIdInvalid; Bad_UserAccessDenied for another session's. Source: Part 5 §9.1.
    /// </summary>
    public StatusCode GetMonitoredItems(uint subscriptionId, out uint[] serverHandles, out uint[] clientHandles) =>
        _engine.SessionMethodService.GetMonitoredItems(this, subscriptionId, out serverHandles, out clientHandles);

    /// <summary>Errors: as <see cref="GetMonitoredItems"/>. Source: Part 5 §9.2.</summary>
    /// <param name="subscriptionId">Its own.</param>
    /// <param name="items">Looked at.</param>
    public StatusCode ResendData(uint subscriptionId, out int items) =>
        _engine.SessionMethodService.ResendData(this, subscriptionId, out items);

    /// <summary>A slice of the review that a Republish has to wait for: what is kept may hold values that the session's
    /// present user may not read. True: there is none (any more).</summary>
    public bool TryReview(uint subscriptionId)
    {
        lock (Shard.Lock)
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
        _engine.PublishService.Publish(this, requestId, header, acknowledgements);

    /// <summary>Answers the held requests with this handle by Bad_RequestCancelledByClient. Returns their number.
    /// </summary>
    public int Cancel(uint requestHandle) => PublishService.Cancel(this, requestHandle);

    /// <summary>Of its subscriptions, for diagnostics.</summary>
    public void ReadSubscriptionDiagnostics(List<SubscriptionDiagnosticsDataType> into) =>
        DiagnosticsService.ReadOf(this, into);

    /// <summary>The session goes on on another channel, perhaps with another user, as in <see cref="ChangeUser"/>:
    /// requests that came by the old channel cannot be answered any more and are dropped.</summary>
    public void Rebind(INotificationOutput output, IItemAccess access, SessionOwner owner)
    {
        lock (Shard.Lock)
        {
            if (!ReferenceEquals(output, Output))
                DiscardRequestsUnderLock();
            if (IsClosed)
                return;
            Output = output;
            ChangeOwnerUnderLock(access, owner);
        }
    }

    /// <summary>The session goes on on its channel with another user. Until all items have been held against what he
    /// may read, which with many of them the shard's loop does, no value leaves (R16).</summary>
    public void ChangeUser(IItemAccess access, SessionOwner owner)
    {
        lock (Shard.Lock)
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
        lock (Shard.Lock)
        {
            if (!Output.IsOpen)
                DiscardRequestsUnderLock();
        }
    }

    private void DiscardRequestsUnderLock()
    {
        lock (Gate)
        {
            while (Requests.TryDequeue(out _))
            {
            }
        }
    }

    /// <summary>Ends the session. Held requests are answered Bad_SessionClosed. Subscriptions that are not deleted live
    /// on until their lifetime ends.</summary>
    public void Close(bool deleteSubscriptions) => _engine.PublishService.Close(this, deleteSubscriptions);

    /// <summary>Under the shard's lock or the gate; null when it is not this session's.</summary>
    internal Subscription? Find(uint subscriptionId)
    {
        foreach (var subscription in Subscriptions)
        {
            if (subscription.Id == subscriptionId)
                return subscription;
        }

        return null;
    }

    /// <summary>Once nothing counts for its holders any more: the session is closed and its last subscription gone.
    /// </summary>
    internal void LeaveHoldersUnderLock()
    {
        if (!IsClosed || Subscriptions.Count > 0 || LeavingSubscriptions > 0 || _hasLeftHolders)
            return;
        _hasLeftHolders = true;
        Holders.Leave();
    }

    /// <summary>Takes a subscription that leaves out of the sweep at hand.</summary>
    internal void ForgetDueUnderLock(Subscription gone)
    {
        if (ReferenceEquals(FirstDue, gone))
            FirstDue = gone.NextDue;
        for (var due = FirstDue; due is not null; due = due.NextDue)
        {
            if (ReferenceEquals(due.NextDue, gone))
                due.NextDue = gone.NextDue;
        }

        gone.NextDue = null;
    }

    /// <summary>Nothing of its channel and its user is held any longer.</summary>
    internal void DetachUnderLock()
    {
        Output = NoOutput.Instance;
        Access = NoOutput.Instance;
    }

    internal void CountArrivalUnderGate() => Volatile.Write(ref _arrivals, _arrivals + 1);

    internal void AddStatusChange(in StatusChange change)
    {
        lock (Gate)
        {
            // One for each subscription that can have been there is enough; the oldest goes.
            if (_statusChanges.Count >= _engine.Limits.MaxSubscriptionsPerSession)
                _statusChanges.Dequeue();
            _statusChanges.Enqueue(change);
        }
    }

    internal bool TryTakeStatusChange(out StatusChange change)
    {
        lock (Gate)
            return _statusChanges.TryDequeue(out change);
    }

    internal void MarkClosedUnderGate()
    {
        IsClosed = true;
        _statusChanges.Clear();
    }

    private void ChangeOwnerUnderLock(IItemAccess access, SessionOwner owner)
    {
        Access = access;
        Owner = owner;
        var atOnce = ItemVisits.ItemsAtOnce;
        foreach (var subscription in Subscriptions)
            Shard.Visits.BeginUnderLock(subscription, ItemVisitKinds.Review, ref atOnce);
        Holders.ChangeUserUnderLock(owner.UserKey);
    }
}
