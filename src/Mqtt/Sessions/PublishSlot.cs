using Gateway.Mqtt.Messages;

namespace Gateway.Mqtt.Sessions;

/// <summary>One QoS 1 message until its PUBACK, so that it can be sent again. Topic and payload stay the caller's
/// memory: the caller keeps them unchanged until its task has ended, so a copy here would be for nothing. Owner:
/// <see cref="PublishSlots"/>.</summary>
internal sealed class PublishSlot(int index)
{
    private MqttMessage _message;

    public int Index => index;

    public bool IsTaken => Completion is not null;

    public PublishCompletion? Completion { get; private set; }

    public ushort PacketIdentifier { get; private set; }

    /// <summary>Rises with each message: the order in which they are sent again.</summary>
    public long Order { get; private set; }

    /// <summary>On any connection.</summary>
    public bool WasSent { get; private set; }

    /// <summary>Timestamp; 0: not sent on this connection.</summary>
    public long SentAt { get; private set; }

    /// <summary>The broker still has the session in which it was sent first: it goes with DUP.</summary>
    public bool IsDuplicate { get; private set; }

    /// <summary>Connections that the broker ended while this message was the oldest one under way.</summary>
    public int Failures { get; set; }

    /// <summary>Bytes of the caller's memory that it keeps.</summary>
    public int Length { get; private set; }

    public ref readonly MqttMessage Message => ref _message;

    public void Take(in MqttMessage message, PublishCompletion completion, ushort packetIdentifier, long order)
    {
        _message = message;
        Length = SizeOf(message);
        (Completion, PacketIdentifier, Order, Failures) = (completion, packetIdentifier, order, 0);
        (WasSent, IsDuplicate, SentAt) = (false, false, 0);
    }

    public static int SizeOf(in MqttMessage message) =>
        message.Topic.Length + message.Payload.Length + (message.Properties?.Encoded.Length ?? 0);

    public void MarkSent(long timestamp) => (WasSent, SentAt) = (true, Math.Max(timestamp, 1));

    public void MarkUnsent(bool isSessionPresent) => (SentAt, IsDuplicate) = (0, isSessionPresent && WasSent);

    /// <summary>The completion of the message that leaves; its memory is the caller's alone again.</summary>
    public PublishCompletion Free()
    {
        var completion = Completion!;
        Completion = null;
        _message = default;
        return completion;
    }
}
