using Gateway.Mqtt.Messages;
using Gateway.Mqtt.Packets;

namespace Gateway.Mqtt.States;

/// <summary>The work of one client since it was made. Threads: any.</summary>
public sealed class MqttCounters
{
    private readonly long[] _faults = new long[Enum.GetValues<MqttFault>().Length];
    private readonly long[] _outcomes = new long[Enum.GetValues<MqttPublishOutcome>().Length];
    private long _connections;
    private long _published;
    private long _received;
    private long _resent;
    private long _droppedInbound;
    private long _handlerFaults;
    private long _strayAcknowledgements;
    private long _subscriptionsRefused;
    private long _bytesSent;
    private long _bytesReceived;

    /// <summary>CONNACKs with success.</summary>
    public long Connections => Volatile.Read(ref _connections);

    /// <summary>PUBLISH packets written for the first time.</summary>
    public long Published => Volatile.Read(ref _published);

    /// <summary>PUBACKs with success.</summary>
    public long Acknowledged => Of(MqttPublishOutcome.Acknowledged);

    /// <summary>PUBACKs with a failure.</summary>
    public long Rejected => Of(MqttPublishOutcome.Refused);

    /// <summary>Messages that came.</summary>
    public long Received => Volatile.Read(ref _received);

    /// <summary>PUBLISH packets written again after a reconnect.</summary>
    public long Resent => Volatile.Read(ref _resent);

    /// <summary>Publishes that ended as NotConnected or QueueFull.</summary>
    public long Dropped => Of(MqttPublishOutcome.NotConnected) + Of(MqttPublishOutcome.QueueFull);

    /// <summary>QoS 0 messages that found the inbox full, and messages that no subscription took.</summary>
    public long DroppedInbound => Volatile.Read(ref _droppedInbound);

    /// <summary>Exceptions of handlers and of listeners to states.</summary>
    public long HandlerFaults => Volatile.Read(ref _handlerFaults);

    /// <summary>PUBACKs for packet identifiers that wait for none.</summary>
    public long StrayAcknowledgements => Volatile.Read(ref _strayAcknowledgements);

    /// <summary>Subscriptions that were refused, by a SUBACK, by the broker's limits, or after <c>MaxResends</c>
    /// connections; each time.</summary>
    public long SubscriptionsRefused => Volatile.Read(ref _subscriptionsRefused);

    public long BytesSent => Volatile.Read(ref _bytesSent);

    public long BytesReceived => Volatile.Read(ref _bytesReceived);

    /// <summary>Attempts and connections that ended for this cause.</summary>
    public long Of(MqttFault fault) => Volatile.Read(ref _faults[(int)fault]);

    /// <summary>Publishes that ended like this; all of them are counted, also those that ended at once.</summary>
    public long Of(MqttPublishOutcome outcome) => Volatile.Read(ref _outcomes[(int)outcome]);

    internal void CountConnection() => Interlocked.Increment(ref _connections);

    internal void CountPublished() => Interlocked.Increment(ref _published);

    internal void CountReceived() => Interlocked.Increment(ref _received);

    internal void CountResent() => Interlocked.Increment(ref _resent);

    internal void CountDroppedInbound() => Interlocked.Increment(ref _droppedInbound);

    internal void CountHandlerFault() => Interlocked.Increment(ref _handlerFaults);

    internal void CountStrayAcknowledgement() => Interlocked.Increment(ref _strayAcknowledgements);

    internal void CountSubscriptionRefused() => Interlocked.Increment(ref _subscriptionsRefused);

    internal void CountSent(int bytes) => Interlocked.Add(ref _bytesSent, bytes);

    internal void CountReceived(int bytes) => Interlocked.Add(ref _bytesReceived, bytes);

    internal void Count(MqttPublishOutcome outcome) => Interlocked.Increment(ref _outcomes[(int)outcome]);

    internal void Count(MqttFault fault) => Interlocked.Increment(ref _faults[(int)fault]);
}
