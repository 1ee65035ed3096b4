using Gateway.Mqtt.Packets;

namespace Gateway.Mqtt.States;

/// <summary>The work of one client since it was made. Threads: any.</summary>
public sealed class MqttCounters
{
    private readonly long[] _faults = new long[Enum.GetValues<MqttFault>().Length];
    private long _connections;
    private long _published;
    private long _acknowledged;
    private long _rejected;
    private long _received;
    private long _resent;
    private long _dropped;
    private long _droppedInbound;
    private long _handlerFaults;
    private long _bytesSent;
    private long _bytesReceived;

    /// <summary>CONNACKs with success.</summary>
    public long Connections => Volatile.Read(ref _connections);

    /// <summary>PUBLISH packets written for the first time.</summary>
    public long Published => Volatile.Read(ref _published);

    /// <summary>PUBACKs with success.</summary>
    public long Acknowledged => Volatile.Read(ref _acknowledged);

    /// <summary>PUBACKs with a failure.</summary>
    public long Rejected => Volatile.Read(ref _rejected);

    /// <summary>Messages that came.</summary>
    public long Received => Volatile.Read(ref _received);

    /// <summary>PUBLISH packets written again after a reconnect.</summary>
    public long Resent => Volatile.Read(ref _resent);

    /// <summary>Publishes that ended as NotConnected or QueueFull.</summary>
    public long Dropped => Volatile.Read(ref _dropped);

    /// <summary>QoS 0 messages that found the inbox full, and messages that no subscription took.</summary>
    public long DroppedInbound => Volatile.Read(ref _droppedInbound);

    /// <summary>Exceptions of handlers and of listeners to states.</summary>
    public long HandlerFaults => Volatile.Read(ref _handlerFaults);

    public long BytesSent => Volatile.Read(ref _bytesSent);

    public long BytesReceived => Volatile.Read(ref _bytesReceived);

    /// <summary>Attempts and connections that ended for this cause.</summary>
    public long Of(MqttFault fault) => Volatile.Read(ref _faults[(int)fault]);

    internal void CountConnection() => Interlocked.Increment(ref _connections);

    internal void CountPublished() => Interlocked.Increment(ref _published);

    internal void CountPubAck(bool isSuccess) =>
        Interlocked.Increment(ref isSuccess ? ref _acknowledged : ref _rejected);

    internal void CountReceived() => Interlocked.Increment(ref _received);

    internal void CountResent() => Interlocked.Increment(ref _resent);

    internal void CountDropped() => Interlocked.Increment(ref _dropped);

    internal void CountDroppedInbound() => Interlocked.Increment(ref _droppedInbound);

    internal void CountHandlerFault() => Interlocked.Increment(ref _handlerFaults);

    internal void CountSent(int bytes) => Interlocked.Add(ref _bytesSent, bytes);

    internal void CountReceived(int bytes) => Interlocked.Add(ref _bytesReceived, bytes);

    internal void Count(MqttFault fault) => Interlocked.Increment(ref _faults[(int)fault]);
}
