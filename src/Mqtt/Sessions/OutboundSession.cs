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
/// Owner: the client. Threads: any publishes; one lock; completions run outside of it on the thread pool. Steady state:
/// no allocation. Source: MQTT 5.0 §4.4, MQTT 5.0 §4.9.
/// </summary>
internal sealed class OutboundSession(
    MqttVersion version, MqttLimits limits, TimeProvider time, MqttCounters counters)
{
    private readonly Lock _gate = new();
    private readonly PublishSlots _slots = new(limits.MaxInFlight, limits.MaxInFlightBytes);
    private readonly Ring<int> _unsent = new(limits.MaxInFlight);
    private readonly Ring<WaitingPublish> _waiting = new(limits.MaxWaitingPublishes);
    private readonly CompletionPool _completions = new(limits.MaxInFlight + limits.MaxWaitingPublishes);
    private readonly AsyncSignal _drained = new();
    private ConnAckPacket _broker = new();
    private OutboundAliases _aliases = new(0);
    private SendQueue? _queue;
    private int _quota;
    private bool _isEnding;
    private bool _isClosed;

    /// <summary>Set when the last publish has ended, once <see cref="BeginEnd"/> was called.</summary>
    public AsyncSignal Drained => _drained;

    public int InFlight
    {
        get
        {
            lock (_gate)
                return _slots.Count;
        }
    }

    public ValueTask<MqttPublishResult> Publish(in MqttMessage message)
    {
        if (!MqttText.IsTopicName(message.Topic.Span))
            return Ended(MqttPublishOutcome.TopicInvalid);
        lock (_gate)
        {
            if (_isClosed || _isEnding)
                return Ended(MqttPublishOutcome.Closed);
            if (RefusalUnderLock(message) is { } refusal)
                return Ended(refusal);
            return message.Qos == MqttQos.AtMostOnce ? PublishOnceUnderLock(message) : PublishAckedUnderLock(message);
        }
    }

    /// <summary>A connection stands: what was sent before goes again, then what waits.</summary>
    public void Attach(SendQueue queue, ConnAckPacket broker)
    {
        lock (_gate)
        {
            (_queue, _broker) = (queue, broker);
            _quota = broker.ReceiveMaximum;
            _aliases = new OutboundAliases(Math.Min(limits.MaxTopicAliases, broker.TopicAliasMaximum));
            _unsent.Clear();
            foreach (var slot in _slots.Taken().ToList())
            {
                slot.MarkUnsent(broker.SessionPresent);
                if (RefusalUnderLock(FormOf(slot)) is { } refusal)
                    _slots.Free(slot).Complete(MqttPublishResult.Of(refusal));
                else
                    _unsent.Enqueue(slot.Index);
            }

            PumpUnderLock();
        }
    }

    /// <summary>The connection has ended. QoS 1 stays; waiting QoS 0 is dropped.</summary>
    public void Detach()
    {
        lock (_gate)
        {
            _queue = null;
            for (var count = _waiting.Count; count > 0; count--)
            {
                var waiting = _waiting.Head;
                _waiting.Dequeue();
                if (waiting.Message.Qos != MqttQos.AtMostOnce)
                {
                    _waiting.Enqueue(waiting);
                    continue;
                }

                counters.CountDropped();
                waiting.Completion.Complete(MqttPublishResult.Of(MqttPublishOutcome.NotConnected));
            }

            // Slots that left room while a QoS 0 message stood in front of the queue.
            PumpUnderLock();
        }
    }

    /// <summary>The send queue has room again.</summary>
    public void OnFlushed()
    {
        lock (_gate)
            PumpUnderLock();
    }

    /// <summary>False: no message of this connection waits for that identifier.</summary>
    public bool TryAcknowledge(AckPacket ack)
    {
        PublishCompletion completion;
        lock (_gate)
        {
            var slot = _slots.Find(ack.PacketIdentifier);
            if (slot is null || slot.SentAt == 0)
                return false;
            completion = _slots.Free(slot);
            _quota++;
            PumpUnderLock();
            TellDrainedUnderLock();
        }

        var isSuccess = !ack.Reason.IsFailure();
        counters.CountPubAck(isSuccess);
        completion.Complete(new MqttPublishResult(
            isSuccess ? MqttPublishOutcome.Acknowledged : MqttPublishOutcome.Refused, ack.Reason));
        return true;
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
            _queue = null;
            foreach (var slot in _slots.Taken().ToList())
                _slots.Free(slot).Complete(MqttPublishResult.Of(MqttPublishOutcome.Closed));
            for (; _waiting.Count > 0; _waiting.Dequeue())
                _waiting.Head.Completion.Complete(MqttPublishResult.Of(MqttPublishOutcome.Closed));
            _slots.GiveBack();
            _drained.Set();
        }
    }

    private static ValueTask<MqttPublishResult> Ended(MqttPublishOutcome outcome) => new(MqttPublishResult.Of(outcome));

    private ValueTask<MqttPublishResult> PublishOnceUnderLock(in MqttMessage message)
    {
        if (_queue is null)
        {
            counters.CountDropped();
            return Ended(MqttPublishOutcome.NotConnected);
        }

        if (_waiting.Count == 0 && TryWriteUnderLock(FormOf(message)))
        {
            counters.CountPublished();
            return Ended(MqttPublishOutcome.Sent);
        }

        return WaitUnderLock(message);
    }

    private ValueTask<MqttPublishResult> PublishAckedUnderLock(in MqttMessage message)
    {
        if (_waiting.Count > 0)
            return WaitUnderLock(message);
        var completion = _completions.Rent();
        var task = completion.Task;
        if (TryHoldUnderLock(message, completion))
            return task;
        _completions.Return(completion);
        return WaitUnderLock(message);
    }

    private ValueTask<MqttPublishResult> WaitUnderLock(in MqttMessage message)
    {
        if (_waiting.IsFull)
        {
            counters.CountDropped();
            return Ended(MqttPublishOutcome.QueueFull);
        }

        var completion = _completions.Rent();
        var task = completion.Task;
        _waiting.Enqueue(new WaitingPublish(message, completion));
        return task;
    }

    private bool TryHoldUnderLock(in MqttMessage message, PublishCompletion completion)
    {
        if (!_slots.TryTake(message, completion, out var slot))
            return false;
        if (_unsent.Count > 0 || !TrySendUnderLock(slot))
            _unsent.Enqueue(slot.Index);
        return true;
    }

    private void PumpUnderLock()
    {
        while (_unsent.Count > 0 && TrySendUnderLock(_slots[_unsent.Head]))
            _unsent.Dequeue();
        while (_waiting.Count > 0 && TryAdmitUnderLock(_waiting.Head))
            _waiting.Dequeue();
    }

    private bool TryAdmitUnderLock(in WaitingPublish waiting)
    {
        if (RefusalUnderLock(waiting.Message) is { } refusal)
        {
            // The broker's limits have changed since it began to wait.
            waiting.Completion.Complete(MqttPublishResult.Of(refusal));
            return true;
        }

        if (waiting.Message.Qos == MqttQos.AtLeastOnce)
            return TryHoldUnderLock(waiting.Message, waiting.Completion);
        if (!TryWriteUnderLock(FormOf(waiting.Message)))
            return false;
        counters.CountPublished();
        waiting.Completion.Complete(MqttPublishResult.Of(MqttPublishOutcome.Sent));
        return true;
    }

    private bool TrySendUnderLock(PublishSlot slot)
    {
        if (_quota == 0 || !TryWriteUnderLock(FormOf(slot)))
            return false;
        _quota--;
        if (slot.WasSent)
            counters.CountResent();
        else
            counters.CountPublished();
        slot.MarkSent(time.GetTimestamp());
        return true;
    }

    private bool TryWriteUnderLock(in PublishForm form)
    {
        if (_queue is null)
            return false;
        if (version != MqttVersion.V5)
            return _queue.TryWrite(form);
        var known = _aliases.Find(form.Topic);
        var alias = known != 0 ? known : _aliases.Next();
        var isWritten = _queue.TryWrite(new PublishForm
        {
            Version = version,
            Topic = known != 0 ? default : form.Topic,
            TopicAlias = alias,
            Payload = form.Payload,
            Properties = form.Properties,
            Qos = form.Qos,
            Retain = form.Retain,
            IsDuplicate = form.IsDuplicate,
            PacketIdentifier = form.PacketIdentifier,
        });
        if (isWritten && known == 0 && alias != 0)
            _aliases.Keep(form.Topic, alias);
        return isWritten;
    }

    private MqttPublishOutcome? RefusalUnderLock(in MqttMessage message) => RefusalUnderLock(FormOf(message));

    /// <summary>Without a connection only our own limits are known. An alias beside the topic adds three bytes.
    /// </summary>
    private MqttPublishOutcome? RefusalUnderLock(in PublishForm form)
    {
        var aliasBytes = version == MqttVersion.V5 ? 3 : 0;
        var most = _queue is null ? uint.MaxValue : _broker.MaximumPacketSize;
        if (form.PacketLength + aliasBytes > Math.Min(limits.MaxPacketSizeBytes, most))
            return MqttPublishOutcome.TooLarge;
        if (_queue is null)
            return null;
        if (form.Qos > _broker.MaximumQos)
            return MqttPublishOutcome.QosNotSupported;
        return form.Retain && !_broker.RetainAvailable ? MqttPublishOutcome.RetainNotSupported : null;
    }

    private PublishForm FormOf(in MqttMessage message) => new()
    {
        Version = version,
        Topic = message.Topic.Span,
        Payload = message.Payload.Span,
        Properties = message.Properties is null ? default : message.Properties.Encoded,
        Qos = message.Qos,
        Retain = message.Retain,
    };

    private PublishForm FormOf(PublishSlot slot) => new()
    {
        Version = version,
        Topic = slot.Topic,
        Payload = slot.Payload,
        Properties = slot.Properties,
        Qos = MqttQos.AtLeastOnce,
        Retain = slot.Retain,
        IsDuplicate = slot.IsDuplicate,
        PacketIdentifier = slot.PacketIdentifier,
    };

    private void TellDrainedUnderLock()
    {
        if (_isEnding && _slots.Count == 0 && _waiting.Count == 0)
            _drained.Set();
    }
}
