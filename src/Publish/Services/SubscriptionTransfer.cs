using Gateway.Admission.Stages;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Publish.Durable;
using Gateway.Publish.Quotas;
using Gateway.Publish.Sessions;
using Gateway.Publish.Shards;
using Gateway.Publish.Subscriptions;

namespace Gateway.Publish.Services;

/// <summary>
/// The transfer of one subscription, a step at a time: a step holds both shards' locks, the one of lower index first,
/// for <see cref="ItemsPerStep"/> items at most. Then the items are held against what the new session's user may read,
/// so that all that its answer names can be repeated. Once it has begun to move, the subscription has to arrive or it
/// has no owner: the code that steps calls <see cref="Finish"/> in the end. One thread at a time.
/// Source: Part 4 §5.14.7.
/// </summary>
public sealed class SubscriptionTransfer
{
    /// <summary>Items that change over in one slice of the locks: about half a millisecond.</summary>
    internal const int ItemsPerStep = 256;

    private readonly PublishEngine _engine;
    private readonly PublishSession _to;
    private readonly uint _subscriptionId;
    private readonly RestoredSession? _of;
    private ItemVisitKinds _visit;
    private Consumer? _from;
    private Subscription? _subscription;
    private SubscriptionMove? _move;
    private bool _hasArrived;

    /// <param name="engine">Of both sessions.</param>
    /// <param name="to">The new owner.</param>
    /// <param name="subscriptionId">Moves.</param>
    /// <param name="sendInitialValues">To the new owner.</param>
    /// <param name="of">Only if that session has it still; null: whichever has it.</param>
    internal SubscriptionTransfer(
        PublishEngine engine, PublishSession to, uint subscriptionId, bool sendInitialValues,
        RestoredSession? of = null)
    {
        _of = of;
        (_engine, _to, _subscriptionId) = (engine, to, subscriptionId);
        _visit = ItemVisitKinds.Review | (sendInitialValues ? ItemVisitKinds.Resend : ItemVisitKinds.None);
    }

    /// <summary>Of the operation, once it is done.</summary>
    public TransferResult Result { get; private set; } = new();

    public bool IsDone { get; private set; }

    /// <summary>The cap that was in the way; None where there was none.</summary>
    public RefusalReason Cap { get; private set; }

    /// <summary>Completes a move that has begun.</summary>
    public void Finish()
    {
        while (_move is not null && !_hasArrived)
            Step();
    }

    /// <summary>True: it is done. False without progress where another session is just taking it over.</summary>
    public bool Step()
    {
        _subscription ??= _engine.Subscriptions.Find(_subscriptionId);
        if (_subscription is null)
            return End(StatusCodes.BadSubscriptionIdInvalid);
        return _hasArrived ? StepReview(_subscription) : StepMove(_subscription);
    }

    private bool StepMove(Subscription subscription)
    {
        var from = _from ?? subscription.Consumer;
        // Fewer are left then for both locks.
        if (!ReferenceEquals(from.Shard, _to.Shard))
            from.Shard.HandOutChanges();
        var isInOrder = from.Shard.Index < _to.Shard.Index;
        var sent = false;
        using ((isInOrder ? from : _to).Shard.Enter())
        {
            // The same lock once more where both are on one shard.
            using ((isInOrder ? _to : from).Shard.Enter())
            {
                if (_move is not null)
                    MoveUnderLocks();
                else if (ReferenceEquals(subscription.Consumer, from) && subscription.Away is null)
                    sent = BeginUnderLocks(subscription, from);
            }
        }

        if (sent)
            from.Output.Flush();
        return IsDone;
    }

    private bool StepReview(Subscription subscription)
    {
        using (_to.Shard.Enter())
        {
            var isMine = ReferenceEquals(subscription.Consumer, _to);
            if (!isMine || subscription.Visit is null)
            {
                var available = isMine ? AvailableUnderLock(subscription) : [];
                Result = new TransferResult { AvailableSequenceNumbers = available };
                return IsDone = true;
            }
        }

        _to.Shard.TryVisitItems();
        return false;
    }

    private bool End(StatusCode status)
    {
        Result = new TransferResult { StatusCode = status };
        if (status.IsBad)
            _engine.Counters.OnTransferRefused();
        return IsDone = true;
    }

    /// <summary>True where the old session was sent something.</summary>
    private bool BeginUnderLocks(Subscription subscription, Consumer from)
    {
        var status = CheckUnderLocks(subscription, from);
        if (status.IsBad)
        {
            End(status);
            return false;
        }

        _from = from;
        _engine.Quotas.Detached.Remove(subscription);
        _visit |= subscription.Visit?.Kinds ?? ItemVisitKinds.None;
        subscription.SetVisit(null);
        _move = new SubscriptionMove(subscription, _to);
        _move.DepartUnderLocks(
            inSlices: !ReferenceEquals(from.Shard, _to.Shard) && subscription.Items.Count > ItemsPerStep);
        if (!from.IsClosed)
        {
            from.AddStatusChange(new StatusChange(
                subscription.Id, subscription.NextSequenceNumber, StatusCodes.GoodSubscriptionTransferred));
        }

        MoveUnderLocks();
        // The status change goes out, and Publish requests that no subscription can answer any more go back.
        return from.ServeUnderLock(_engine.Clock.Now);
    }

    /// <summary>Rows 22 to 24. Errors: Bad_SubscriptionIdInvalid, Bad_SessionClosed, Bad_UserAccessDenied,
    /// Bad_TooManySubscriptions, Bad_NothingToDo where it is the session's own already. Good: the subscription's
    /// amounts count for the new session.</summary>
    private StatusCode CheckUnderLocks(Subscription subscription, Consumer from)
    {
        if (subscription.State == SubscriptionState.Closed)
            return StatusCodes.BadSubscriptionIdInvalid;
        if (_to.IsClosed)
            return StatusCodes.BadSessionClosed;
        subscription.Counts.TransferRequests++;
        if (ReferenceEquals(from, _to))
        {
            subscription.ResetLifetime();
            return StatusCodes.BadNothingToDo;
        }

        if (_of is not null && !(from.IsClosed && ReferenceEquals(from.Owner.Memo, _of)))
            return StatusCodes.BadSubscriptionIdInvalid;
        if (!_to.Owner.MayTakeOverFrom(from.Owner))
            return StatusCodes.BadUserAccessDenied;
        var amount = new Amount(1, subscription.Items.Count, subscription.QueueCapacity);
        if (QuotaBook.TryMove(from, _to, amount))
            return StatusCode.Good;
        Cap = _to.Holders.CapOn(amount);
        return StatusCodes.BadTooManySubscriptions;
    }

    private void MoveUnderLocks()
    {
        if (_move!.MoveUnderLocks(ItemsPerStep, _engine.Clock.Now))
            ArriveUnderLocks(_subscription!, _from!);
    }

    private void ArriveUnderLocks(Subscription subscription, Consumer from)
    {
        if (subscription.Away is { HasDropped: true })
            _visit |= ItemVisitKinds.CatchUp;
        _move!.ArriveUnderLocks();
        _hasArrived = true;
        subscription.Durable?.OnOwnerChanged();
        subscription.ResetLifetime();
        if (_to.Owner.IsSameClient(from.Owner))
            subscription.Counts.TransfersToSameClient++;
        else
            subscription.Counts.TransfersToOtherClient++;
        _engine.Counters.OnTransferred();
        from.LeaveHoldersUnderLock();
        if (_to.IsClosed)
        {
            LeaveClosedUnderLock(subscription);
            return;
        }

        var atOnce = ItemVisits.ItemsAtOnce;
        _to.Shard.Visits.BeginUnderLock(subscription, _visit, ref atOnce);
    }

    /// <summary>The new session ended while the items were changing over: the subscription goes or stays as its
    /// others.</summary>
    private void LeaveClosedUnderLock(Subscription subscription)
    {
        if (_to.Deletes(subscription))
            _to.Shard.RemoveUnderLock(subscription);
        else if (subscription.Durable is null)
            _engine.Quotas.Detached.AddUnderLock(subscription);
        End(StatusCodes.BadSessionClosed);
    }

    private static uint[] AvailableUnderLock(Subscription subscription)
    {
        lock (subscription.Consumer.Gate)
        {
            var available = new uint[subscription.Retransmission.Count];
            for (var i = 0; i < available.Length; i++)
                available[i] = subscription.Retransmission.SequenceNumberAt(i);
            return available;
        }
    }
}
