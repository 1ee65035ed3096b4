using Gateway.Mqtt.Messages;
using Gateway.Mqtt.Options;
using Gateway.Mqtt.Packets;

namespace Gateway.Mqtt.Sessions;

/// <summary>
/// The subscriptions of one client: asks for them on each connection whose session lacks them, and finds the handlers
/// of a message. At most <see cref="MaxUnderWay"/> packets wait for their acknowledgement. Owner: the client. Threads:
/// any; one lock; finding handlers reads a copy. Source: MQTT 5.0 §3.8, MQTT 5.0 §3.10.
/// </summary>
internal sealed class SubscriptionBook(MqttVersion version, MqttLimits limits, TimeProvider time)
{
    private const int MaxUnderWay = 16;

    private const int FirstPacketIdentifier = PublishSlots.LastIdentifier + 1;

    private readonly Lock _lock = new();
    private readonly Dictionary<ushort, SubscriptionEntry> _underWay = [];
    private SubscriptionEntry[] _entries = [];
    private SendQueue? _queue;
    private bool _hasIdentifiers;
    private int _lastIdentifier;
    private int _nextPacket;
    private bool _isClosed;

    /// <summary>Null: <c>MaxSubscriptions</c> is reached, or the client has ended.</summary>
    public SubscriptionEntry? Add(MqttSubscriptionOptions options, MqttMessageHandler handler)
    {
        lock (_lock)
        {
            if (_isClosed || _entries.Length >= limits.MaxSubscriptions)
                return null;
            var entry = new SubscriptionEntry(++_lastIdentifier, options, handler);
            _entries = [.. _entries, entry];
            PumpUnderLock();
            return entry;
        }
    }

    /// <summary>Its handler gets nothing more from now on.</summary>
    public void Remove(SubscriptionEntry entry)
    {
        lock (_lock)
        {
            if (!_entries.Contains(entry))
                return;
            entry.Subscribed.TrySetResult(MqttReasonCode.UnspecifiedError);
            if (entry.State is SubscriptionState.Wanted or SubscriptionState.Refused)
                DropUnderLock(entry);
            else if (entry.State is not SubscriptionState.Leaving)
                entry.State = SubscriptionState.Unwanted;
            PumpUnderLock();
        }
    }

    public void Attach(SendQueue queue, ConnAckPacket broker)
    {
        lock (_lock)
        {
            (_queue, _hasIdentifiers) = (queue, broker.SubscriptionIdentifierAvailable);
            _underWay.Clear();
            foreach (var entry in _entries)
            {
                entry.PacketIdentifier = 0;
                var isGone = entry.State is SubscriptionState.Unwanted or SubscriptionState.Leaving;
                if (isGone && !broker.SessionPresent)
                    DropUnderLock(entry);
                else if (isGone)
                    entry.State = SubscriptionState.Unwanted;
                else if (entry.State != SubscriptionState.Granted || !broker.SessionPresent)
                    entry.State = SubscriptionState.Wanted;
            }

            PumpUnderLock();
        }
    }

    public void Detach()
    {
        lock (_lock)
            _queue = null;
    }

    /// <summary>Asks for what found no room before.</summary>
    public void OnFlushed()
    {
        lock (_lock)
            PumpUnderLock();
    }

    /// <summary>False: nothing waits for this acknowledgement.</summary>
    public bool TryAcknowledge(AckPacket ack, bool isUnsubscribe)
    {
        lock (_lock)
        {
            if (!_underWay.TryGetValue(ack.PacketIdentifier, out var entry))
                return false;
            var wasUnsubscribe = entry.State == SubscriptionState.Leaving;
            if (wasUnsubscribe != isUnsubscribe)
                return false;
            _underWay.Remove(ack.PacketIdentifier);
            entry.PacketIdentifier = 0;
            if (isUnsubscribe)
                DropUnderLock(entry);
            else
                AnswerUnderLock(entry, ack.Reason);
            PumpUnderLock();
            return true;
        }
    }

    /// <summary>Timestamp; 0: none waits.</summary>
    public long OldestSentAt()
    {
        lock (_lock)
        {
            return _queue is null || _underWay.Count == 0 ? 0 : _underWay.Values.Min(entry => entry.SentAt);
        }
    }

    /// <summary>The subscriptions that a message may be for; check each with <see cref="IsFor"/>.</summary>
    public SubscriptionEntry[] Entries() => Volatile.Read(ref _entries);

    /// <summary>By the identifier that the broker gave, else by the filter.</summary>
    public static bool IsFor(SubscriptionEntry entry, in InboundMessage message)
    {
        if (entry.State is SubscriptionState.Unwanted or SubscriptionState.Leaving)
            return false;
        return message.SubscriptionIdentifier != 0
            ? message.SubscriptionIdentifier == entry.Identifier
            : MqttText.Matches(entry.Filter, message.Topic);
    }

    public void Close()
    {
        lock (_lock)
        {
            (_queue, _isClosed) = (null, true);
            foreach (var entry in _entries)
                DropUnderLock(entry);
        }
    }

    private static void AnswerUnderLock(SubscriptionEntry entry, MqttReasonCode reason)
    {
        // It may have been removed while the SUBACK was under way: then UNSUBSCRIBE still has to go.
        if (entry.State == SubscriptionState.Asked)
            entry.State = reason.IsFailure() ? SubscriptionState.Refused : SubscriptionState.Granted;
        entry.Subscribed.TrySetResult(reason);
    }

    private void DropUnderLock(SubscriptionEntry entry)
    {
        _entries = [.. _entries.Where(other => other != entry)];
        entry.Subscribed.TrySetResult(MqttReasonCode.UnspecifiedError);
        entry.Unsubscribed.TrySetResult();
    }

    private void PumpUnderLock()
    {
        foreach (var entry in _entries)
        {
            if (_queue is null || _underWay.Count >= MaxUnderWay)
                return;
            var isLeaving = entry.State == SubscriptionState.Unwanted;
            if (entry.PacketIdentifier != 0 || !(isLeaving || entry.State == SubscriptionState.Wanted))
                continue;
            var id = NextPacketUnderLock();
            var packet = isLeaving
                ? ControlForms.Unsubscribe(version, id, entry.Filter)
                : ControlForms.Subscribe(
                    version, id, entry.Filter, entry.Options.ToByte(version),
                    _hasIdentifiers ? entry.Identifier : 0);
            if (!_queue.TryWriteControl(packet))
                return;
            entry.State = isLeaving ? SubscriptionState.Leaving : SubscriptionState.Asked;
            entry.PacketIdentifier = id;
            entry.SentAt = Math.Max(1, time.GetTimestamp());
            _underWay.Add(id, entry);
        }
    }

    private ushort NextPacketUnderLock()
    {
        while (true)
        {
            var id = (ushort)(FirstPacketIdentifier + (_nextPacket++ & 0x0FFF));
            if (!_underWay.ContainsKey(id))
                return id;
        }
    }
}
