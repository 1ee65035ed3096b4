using Gateway.Mqtt.Messages;
using Gateway.Mqtt.Options;
using Gateway.Mqtt.Packets;
using Gateway.Mqtt.States;

namespace Gateway.Mqtt.Sessions;

/// <summary>
/// The subscriptions of one client: asks for them on each connection whose session lacks them, and finds the handlers
/// of a message. One subscription a filter: the broker keeps no two. At most <see cref="MaxUnderWay"/> packets wait for
/// their acknowledgement. Owner: the client. Threads:
/// any; one lock; finding handlers reads a copy. Source: MQTT 5.0 §3.8, MQTT 5.0 §3.10.
/// </summary>
internal sealed class SubscriptionBook(
    MqttVersion version, MqttLimits limits, TimeProvider time, MqttCounters counters)
{
    private const int MaxUnderWay = 16;

    private const int FirstPacketIdentifier = PublishSlots.LastIdentifier + 1;

    private readonly Lock _lock = new();
    private readonly Dictionary<ushort, SubscriptionEntry> _underWay = [];
    private SubscriptionEntry[] _entries = [];
    private SendQueue? _queue;
    private ConnAckPacket _broker = new();
    private int _nextPacket;
    private bool _isClosed;
    private bool _isAsking;
    private bool _isAskingSuspect;

    /// <summary>Packets of this connection wait for their acknowledgement. Read without the lock.</summary>
    public bool IsAsking => Volatile.Read(ref _isAsking);

    /// <summary>One of them may be what makes the broker end connections: nothing goes beside it.</summary>
    public bool IsAskingSuspect => Volatile.Read(ref _isAskingSuspect);

    /// <exception cref="ArgumentException">The filter is subscribed already.</exception>
    /// <exception cref="InvalidOperationException"><c>MaxSubscriptions</c> is reached, or the client has ended.
    /// </exception>
    public SubscriptionEntry Add(MqttSubscriptionOptions options, MqttMessageHandler handler)
    {
        var entry = new SubscriptionEntry(options, handler);
        lock (_lock)
        {
            if (_isClosed || _entries.Length >= limits.MaxSubscriptions)
                throw new InvalidOperationException("There are too many subscriptions, or the client has ended.");
            if (_entries.Any(other => !other.IsLeaving && HaveOneFilter(other, entry)))
                throw new ArgumentException($"'{options.Filter}' is subscribed already.", nameof(options));
            _entries = [.. _entries, entry];
            PumpUnderLock();
        }

        return entry;
    }

    /// <summary>Its handler gets nothing more from now on.</summary>
    public void Remove(SubscriptionEntry entry)
    {
        lock (_lock)
        {
            if (!_entries.Contains(entry))
                return;
            if (entry.State is SubscriptionState.Wanted or SubscriptionState.Refused or SubscriptionState.GivenUp)
                DropUnderLock(entry);
            else if (entry.State is not SubscriptionState.Leaving)
                entry.State = SubscriptionState.Unwanted;
            EndUnderLock(entry);
            PumpUnderLock();
        }
    }

    public void Attach(SendQueue queue, ConnAckPacket broker)
    {
        lock (_lock)
        {
            (_queue, _broker) = (queue, broker);
            _underWay.Clear();
            foreach (var entry in _entries)
            {
                entry.PacketIdentifier = 0;
                if (entry.IsLeaving && !broker.SessionPresent)
                    DropUnderLock(entry);
                else if (entry.IsLeaving)
                    entry.State = SubscriptionState.Unwanted;
                else if (entry.State == SubscriptionState.GivenUp)
                    continue;
                else if (entry.State != SubscriptionState.Granted || !broker.SessionPresent)
                    entry.State = SubscriptionState.Wanted;
            }

            PumpUnderLock();
        }
    }

    /// <summary>The connection has ended.</summary>
    /// <param name="isBlamed">The broker ended it, and perhaps for a packet.</param>
    /// <returns>True: a SUBSCRIBE or UNSUBSCRIBE was under way.</returns>
    public bool Detach(bool isBlamed)
    {
        lock (_lock)
        {
            var wasAsking = _underWay.Count > 0;
            foreach (var entry in _underWay.Values)
            {
                if (!isBlamed || ++entry.Failures < limits.MaxResends || entry.State != SubscriptionState.Asked)
                    continue;

                // Only where it was alone: else it has shared the blame.
                if (_underWay.Count == 1 && _isAskingSuspect)
                    RefuseUnderLock(entry, SubscriptionState.GivenUp, MqttReasonCode.UnspecifiedError);
            }

            _queue = null;
            _underWay.Clear();
            TellAskingUnderLock();
            return wasAsking;
        }
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

    /// <summary>Whether the broker's identifiers choose among the subscriptions whose filter takes the message. Where
    /// none of them is named, each takes it.</summary>
    public static bool AreNamed(SubscriptionEntry[] entries, in InboundMessage message)
    {
        foreach (var entry in entries)
        {
            if (MqttText.Matches(entry.Filter, message.Topic) && message.IsFor(entry.Identifier))
                return true;
        }

        return false;
    }

    /// <param name="entry">A subscription.</param>
    /// <param name="message">That came.</param>
    /// <param name="areNamed">Of <see cref="AreNamed"/>.</param>
    public static bool IsFor(SubscriptionEntry entry, in InboundMessage message, bool areNamed) =>
        !entry.IsLeaving && MqttText.Matches(entry.Filter, message.Topic)
        && (!areNamed || message.IsFor(entry.Identifier));

    public void Close()
    {
        lock (_lock)
        {
            (_queue, _isClosed) = (null, true);
            foreach (var entry in _entries)
                DropUnderLock(entry);
        }
    }

    private static bool HaveOneFilter(SubscriptionEntry one, SubscriptionEntry other) =>
        one.Filter.AsSpan().SequenceEqual(other.Filter);

    private static void EndUnderLock(SubscriptionEntry entry) =>
        entry.Subscribed.TrySetResult(MqttReasonCode.UnspecifiedError);

    private void AnswerUnderLock(SubscriptionEntry entry, MqttReasonCode reason)
    {
        entry.Failures = 0;

        // It may have been removed while the SUBACK was under way: then UNSUBSCRIBE still has to go.
        if (entry.State == SubscriptionState.Asked && reason.IsFailure())
        {
            RefuseUnderLock(entry, SubscriptionState.Refused, reason);
            return;
        }

        if (entry.State == SubscriptionState.Asked)
            entry.State = SubscriptionState.Granted;
        entry.Answer(reason);
    }

    private void RefuseUnderLock(SubscriptionEntry entry, SubscriptionState state, MqttReasonCode reason)
    {
        entry.State = state;
        counters.CountSubscriptionRefused();
        entry.Answer(reason);
    }

    private void DropUnderLock(SubscriptionEntry entry)
    {
        _entries = [.. _entries.Where(other => other != entry)];
        EndUnderLock(entry);
        entry.Unsubscribed.TrySetResult();
    }

    private void PumpUnderLock()
    {
        if (_queue is null || !MustAnyGoUnderLock())
        {
            TellAskingUnderLock();
            return;
        }

        // Suspects first, while no publish is under way.
        foreach (var entry in _entries.OrderBy(entry => entry.Failures == 0))
        {
            if (_underWay.Count >= MaxUnderWay || _underWay.Values.Any(one => one.Failures > 0))
                break;
            if (MustGoUnderLock(entry) && !TrySendUnderLock(entry))
                break;
        }

        TellAskingUnderLock();
    }

    private void TellAskingUnderLock()
    {
        var isSuspect = false;
        foreach (var entry in _underWay.Values)
            isSuspect |= entry.Failures > 0;
        Volatile.Write(ref _isAskingSuspect, isSuspect);
        Volatile.Write(ref _isAsking, _underWay.Count > 0);
    }

    /// <summary>False: no room in the send queue.</summary>
    private bool TrySendUnderLock(SubscriptionEntry entry)
    {
        var id = NextPacketUnderLock();
        var packet = PacketOf(entry, id);
        if (entry.State == SubscriptionState.Wanted && RefusalOf(entry, packet.Length) is { } refusal)
        {
            RefuseUnderLock(entry, SubscriptionState.Refused, refusal);
            return true;
        }

        if (!_queue!.TryWriteControl(packet))
            return false;
        entry.State = entry.State == SubscriptionState.Unwanted
            ? SubscriptionState.Leaving
            : SubscriptionState.Asked;
        entry.PacketIdentifier = id;
        entry.SentAt = Math.Max(1, time.GetTimestamp());
        _underWay.Add(id, entry);
        return true;
    }

    /// <summary>A loop of its own: it runs behind each write, and a delegate would allocate.</summary>
    private bool MustAnyGoUnderLock()
    {
        foreach (var entry in _entries)
        {
            if (MustGoUnderLock(entry))
                return true;
        }

        return false;
    }

    private bool MustGoUnderLock(SubscriptionEntry entry)
    {
        if (entry.PacketIdentifier != 0
            || entry.State is not (SubscriptionState.Wanted or SubscriptionState.Unwanted))
            return false;

        // One that shared the end of a connection goes alone, so that the next end has one cause.
        if (entry.Failures > 0 && _underWay.Count > 0)
            return false;

        // UNSUBSCRIBE of an earlier one with this filter would take the new one along: it goes first.
        if (entry.State == SubscriptionState.Unwanted)
            return true;
        foreach (var other in _entries)
        {
            if (other.IsLeaving && HaveOneFilter(other, entry))
                return false;
        }

        return true;
    }

    private byte[] PacketOf(SubscriptionEntry entry, ushort id) => entry.State == SubscriptionState.Unwanted
        ? ControlForms.Unsubscribe(version, id, entry.Filter)
        : ControlForms.Subscribe(
            version, id, entry.Filter, entry.Options.ToByte(version),
            _broker.SubscriptionIdentifierAvailable ? entry.Identifier : 0);

    /// <summary>The broker would answer such a SUBSCRIBE by ending the connection. Source: MQTT 5.0 §3.2.2.3.</summary>
    private MqttReasonCode? RefusalOf(SubscriptionEntry entry, int packetLength)
    {
        if (packetLength > _broker.MaximumPacketSize)
            return MqttReasonCode.PacketTooLarge;
        if (!_broker.SharedSubscriptionAvailable && MqttText.IsShared(entry.Filter))
            return MqttReasonCode.SharedSubscriptionsNotSupported;
        return !_broker.WildcardSubscriptionAvailable && MqttText.HasWildcard(entry.Filter)
            ? MqttReasonCode.WildcardSubscriptionsNotSupported
            : null;
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
