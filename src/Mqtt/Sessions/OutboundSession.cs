using Gateway.Mqtt.Messages;
using Gateway.Mqtt.Options;
using Gateway.Mqtt.Packets;
using Gateway.Mqtt.States;

namespace Gateway.Mqtt.Sessions;

/// <summary>
/// Publishes on their way out, over all connections of one client.
/// <code>
/// PublishAsync -> [waiting, bounded] -> [slots: QoS 1 until PUBACK] -> send queue of the connection -> socket
/// </code>
/// A publish is admitted in the order of its call. Without room it waits; without a waiting place it ends as QueueFull.
/// Owner: the client. Threads: any publishes; one lock; callers go on outside of it on the thread pool. Steady state:
/// no allocation, and one copy: from the caller's memory into the send queue. Source: MQTT 5.0 §4.4, MQTT 5.0 §4.9.
/// </summary>
internal sealed class OutboundSession
{
    private readonly MqttVersion _version;
    private readonly MqttLimits _limits;
    private readonly TimeProvider _time;
    private readonly MqttCounters _counters;
    private readonly SubscriptionBook _subscriptions;
    private readonly Lock _gate = new();
    private readonly PublishRules _rules;
    private readonly PublishSlots _slots;
    private readonly SuspectWindow _suspects;
    private readonly Ring<int> _unsent;
    private readonly Ring<WaitingPublish> _waiting;
    private readonly CompletionPool _completions;
    private readonly AsyncSignal _drained = new();
    private ConnAckPacket? _broker;
    private OutboundAliases _aliases = new(0);
    private SendQueue? _queue;
    private int _quota;
    private bool _isEnding;
    private bool _isClosed;

    public OutboundSession(
        MqttClientOptions options, TimeProvider time, MqttCounters counters, SubscriptionBook subscriptions)
    {
        (_version, _limits) = (options.Version, options.Limits);
        (_time, _counters, _subscriptions) = (time, counters, subscriptions);
        _rules = new PublishRules(_version, _limits);
        _slots = new PublishSlots(_limits.MaxInFlight, _limits.MaxInFlightBytes);
        _suspects = new SuspectWindow(_limits.MaxResends);
        _unsent = new Ring<int>(_limits.MaxInFlight);
        _waiting = new Ring<WaitingPublish>(_limits.MaxWaitingPublishes);
        _completions = new CompletionPool(_limits.MaxInFlight + _limits.MaxWaitingPublishes, Withdraw);
    }

    /// <summary>Set when the last publish has ended, once <see cref="BeginEnd"/> was called.</summary>
    public AsyncSignal Drained => _drained;

    public MqttOutboundGauges Gauges
    {
        get
        {
            lock (_gate)
            {
                var oldest = _slots.OldestStartedAt();
                if (oldest == 0 && _waiting.Count > 0)
                    oldest = _waiting.Head.Completion.StartedAt;
                return new MqttOutboundGauges(
                    _slots.Count, _queue is null ? 0 : _suspects.UnderWay, _waiting.Count, _slots.Bytes,
                    oldest == 0 ? TimeSpan.Zero : _time.GetElapsedTime(oldest));
            }
        }
    }

    public ValueTask<MqttPublishResult> Publish(in MqttMessage message, CancellationToken cancellation)
    {
        if (cancellation.IsCancellationRequested)
            return Ended(MqttPublishOutcome.Withdrawn);
        if (!MqttText.IsTopicName(message.Topic.Span))
            return Ended(MqttPublishOutcome.TopicInvalid);
        PublishCompletion? unsent;
        ValueTask<MqttPublishResult> task;
        lock (_gate)
        {
            if (_isClosed || _isEnding)
                return Ended(MqttPublishOutcome.Closed);
            if (_rules.RefusalOf(message, _broker) is { } refusal)
                return Ended(refusal);
            task = message.Qos == MqttQos.AtMostOnce
                ? PublishOnceUnderLock(message, out unsent)
                : PublishAckedUnderLock(message, out unsent);
        }

        if (cancellation.CanBeCanceled)
            unsent?.WithdrawOn(cancellation);
        return task;
    }

    /// <summary>A connection stands: what was sent before goes again, then what waits.</summary>
    public void Attach(SendQueue queue, ConnAckPacket broker)
    {
        lock (_gate)
        {
            (_queue, _broker) = (queue, broker);
            _quota = broker.ReceiveMaximum;
            _aliases = new OutboundAliases(Math.Min(_limits.MaxTopicAliases, broker.TopicAliasMaximum));
            _suspects.Attach();
            _unsent.Clear();
            foreach (var slot in _slots.Taken().ToList())
            {
                slot.MarkUnsent(broker.SessionPresent);
                if (_rules.RefusalOf(slot.Message, broker) is { } refusal)
                    End(_slots.Free(slot), refusal);
                else
                    _unsent.Enqueue(slot.Index);
            }

            PumpUnderLock();
        }
    }

    /// <summary>The connection has ended. QoS 1 stays; waiting QoS 0 is dropped.</summary>
    /// <param name="isBlamed">The broker ended it, and perhaps for a message.</param>
    /// <param name="reason">The broker's, where it gave one.</param>
    public void Detach(bool isBlamed, MqttReasonCode reason)
    {
        lock (_gate)
        {
            (_queue, _broker) = (null, null);
            if (isBlamed && _slots.Taken().FirstOrDefault(slot => slot.SentAt != 0) is { } oldest
                && _suspects.Blame(oldest))
            {
                End(_slots.Free(oldest), new MqttPublishResult(
                    MqttPublishOutcome.GivenUp,
                    reason.IsFailure() ? reason : MqttReasonCode.UnspecifiedError));
            }

            for (var count = _waiting.Count; count > 0; count--)
            {
                var waiting = _waiting.Head;
                _waiting.Dequeue();
                if (waiting.Message.Qos == MqttQos.AtMostOnce)
                    End(waiting.Completion, MqttPublishOutcome.NotConnected);
                else
                    _waiting.Enqueue(waiting);
            }

            // Slots that left room while a QoS 0 message stood in front of the queue.
            PumpUnderLock();
        }
    }

    /// <summary>There may be room: the send queue was written, a subscription was answered, or time has passed.
    /// </summary>
    public void Pump()
    {
        lock (_gate)
            PumpUnderLock();
    }

    /// <summary>False: no message of this connection waits for that identifier.</summary>
    public bool TryAcknowledge(AckPacket ack)
    {
        lock (_gate)
        {
            var slot = _slots.Find(ack.PacketIdentifier);
            if (slot is null || slot.SentAt == 0)
                return false;

            // First of all: nothing that fails behind it may keep the caller waiting.
            End(_slots.Free(slot), new MqttPublishResult(
                ack.Reason.IsFailure() ? MqttPublishOutcome.Refused : MqttPublishOutcome.Acknowledged, ack.Reason));
            _suspects.Acknowledged();
            _quota++;
            PumpUnderLock();
            return true;
        }
    }

    /// <summary>Timestamp; 0: no message waits for its PUBACK.</summary>
    public long OldestSentAt()
    {
        lock (_gate)
            return _queue is null ? 0 : _slots.OldestSentAt();
    }

    /// <summary>Further publishes end as Closed; those that are under way go on.</summary>
    public void BeginEnd()
    {
        lock (_gate)
        {
            _isEnding = true;
            TellDrainedUnderLock();
        }
    }

    /// <summary>All publishes that are still under way end as Closed.</summary>
    public void Close()
    {
        lock (_gate)
        {
            _isClosed = true;
            (_queue, _broker) = (null, null);
            foreach (var slot in _slots.Taken().ToList())
                End(_slots.Free(slot), MqttPublishOutcome.Closed);
            for (; _waiting.Count > 0; _waiting.Dequeue())
                End(_waiting.Head.Completion, MqttPublishOutcome.Closed);
            _unsent.Clear();
            _drained.Set();
        }
    }

    private ValueTask<MqttPublishResult> Ended(MqttPublishOutcome outcome)
    {
        _counters.Count(outcome);
        return new(MqttPublishResult.Of(outcome));
    }

    private void End(PublishCompletion completion, MqttPublishOutcome outcome) =>
        End(completion, MqttPublishResult.Of(outcome));

    private void End(PublishCompletion completion, MqttPublishResult result)
    {
        _counters.Count(result.Outcome);
        completion.Complete(result);
    }

    /// <summary>A token of a caller was cancelled. Without effect where the message was sent, on any connection.
    /// </summary>
    private void Withdraw(PublishCompletion completion)
    {
        lock (_gate)
        {
            // From the tail: a token calls the last publish first.
            for (var i = _waiting.Count - 1; i >= 0; i--)
            {
                if (_waiting[i].Completion != completion)
                    continue;
                _waiting.RemoveAt(i);
                End(completion, MqttPublishOutcome.Withdrawn);
                PumpUnderLock();
                return;
            }

            for (var i = _unsent.Count - 1; i >= 0; i--)
            {
                var slot = _slots[_unsent[i]];
                if (slot.Completion != completion || slot.WasSent)
                    continue;
                _unsent.RemoveAt(i);
                End(_slots.Free(slot), MqttPublishOutcome.Withdrawn);
                PumpUnderLock();
                return;
            }
        }
    }

    private ValueTask<MqttPublishResult> PublishOnceUnderLock(in MqttMessage message, out PublishCompletion? unsent)
    {
        unsent = null;
        if (_queue is null)
            return Ended(MqttPublishOutcome.NotConnected);
        if (_waiting.Count > 0 || !TryWriteOnceUnderLock(message))
            return WaitUnderLock(message, out unsent);
        return Ended(MqttPublishOutcome.Sent);
    }

    private ValueTask<MqttPublishResult> PublishAckedUnderLock(in MqttMessage message, out PublishCompletion? unsent)
    {
        if (_waiting.Count > 0 || !_slots.HasRoomFor(message))
            return WaitUnderLock(message, out unsent);
        var completion = _completions.Rent(Now());
        var task = completion.Task;
        unsent = HoldUnderLock(message, completion) ? null : completion;
        return task;
    }

    private ValueTask<MqttPublishResult> WaitUnderLock(in MqttMessage message, out PublishCompletion? unsent)
    {
        unsent = null;
        if (_waiting.IsFull)
            return Ended(MqttPublishOutcome.QueueFull);
        unsent = _completions.Rent(Now());
        var task = unsent.Task;
        _waiting.Enqueue(new WaitingPublish(message, unsent));
        return task;
    }

    /// <summary>True: it is sent, too.</summary>
    private bool HoldUnderLock(in MqttMessage message, PublishCompletion completion)
    {
        var slot = _slots.Take(message, completion);
        if (_unsent.Count == 0 && TrySendUnderLock(slot))
            return true;
        _unsent.Enqueue(slot.Index);
        return false;
    }

    private void PumpUnderLock()
    {
        while (_unsent.Count > 0 && TrySendUnderLock(_slots[_unsent.Head]))
            _unsent.Dequeue();
        while (_waiting.Count > 0 && TryAdmitUnderLock(_waiting.Head))
            _waiting.Dequeue();
        TellDrainedUnderLock();
    }

    private bool TryAdmitUnderLock(in WaitingPublish waiting)
    {
        if (_rules.RefusalOf(waiting.Message, _broker) is { } refusal)
        {
            // The broker's limits have changed since it began to wait.
            End(waiting.Completion, refusal);
            return true;
        }

        if (waiting.Message.Qos == MqttQos.AtMostOnce)
        {
            if (!TryWriteOnceUnderLock(waiting.Message))
                return false;
            End(waiting.Completion, MqttPublishOutcome.Sent);
            return true;
        }

        if (!_slots.HasRoomFor(waiting.Message))
            return false;
        HoldUnderLock(waiting.Message, waiting.Completion);
        return true;
    }

    /// <summary>Never beside a suspect: the broker's end must have one cause.</summary>
    private bool TryWriteOnceUnderLock(in MqttMessage message)
    {
        var isSuspectNear = _suspects.IsSuspectUnderWay || _subscriptions.IsAskingSuspect
            || (_unsent.Count > 0 && _suspects.IsSuspect(_slots[_unsent.Head]));
        if (isSuspectNear || !TryWriteUnderLock(MessageForm.Of(_version, message)))
            return false;
        _counters.CountPublished();
        return true;
    }

    private bool TrySendUnderLock(PublishSlot slot)
    {
        if (_quota == 0 || _suspects.IsSuspectUnderWay || _subscriptions.IsAskingSuspect
            || (_subscriptions.IsAsking && _suspects.IsSuspect(slot)))
            return false;
        var form = MessageForm.Of(_version, slot.Message) with
        {
            IsDuplicate = slot.IsDuplicate,
            PacketIdentifier = slot.PacketIdentifier,
        };
        if (!TryWriteUnderLock(form))
            return false;
        _quota--;
        _suspects.Sent(slot);
        if (slot.WasSent)
            _counters.CountResent();
        else
            _counters.CountPublished();
        slot.MarkSent(Now());
        return true;
    }

    private bool TryWriteUnderLock(in PublishForm form)
    {
        if (_queue is null)
            return false;
        if (_version != MqttVersion.V5)
            return _queue.TryWrite(form);
        var known = _aliases.Find(form.Topic);
        var alias = known != 0 ? known : _aliases.Next();
        var aliased = form with { Topic = known != 0 ? default : form.Topic, TopicAlias = alias };
        var isWritten = _queue.TryWrite(aliased);
        if (isWritten && known == 0 && alias != 0)
            _aliases.Keep(form.Topic, alias);
        return isWritten;
    }

    private long Now() => Math.Max(1, _time.GetTimestamp());

    private void TellDrainedUnderLock()
    {
        if (_isEnding && _slots.Count == 0 && _waiting.Count == 0)
            _drained.Set();
    }
}
