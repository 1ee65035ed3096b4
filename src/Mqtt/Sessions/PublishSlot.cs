using Gateway.Codec.Pooling;
using Gateway.Mqtt.Messages;

namespace Gateway.Mqtt.Sessions;

/// <summary>
/// One QoS 1 message until its PUBACK: <c>[topic | properties | payload]</c> in one array, so that it can be sent
/// again. Owner: <see cref="PublishSlots"/>. The slot keeps a small array for the next message and gives a large one
/// back.
/// </summary>
internal sealed class PublishSlot(int index)
{
    private const int KeptBytes = 4 * 1024;

    private byte[] _bytes = [];
    private int _topicLength;
    private int _propertiesLength;
    private int _length;

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

    public bool Retain { get; private set; }

    public int Length => _length;

    public ReadOnlySpan<byte> Topic => _bytes.AsSpan(0, _topicLength);

    public ReadOnlySpan<byte> Properties => _bytes.AsSpan(_topicLength, _propertiesLength);

    public ReadOnlySpan<byte> Payload => _bytes.AsSpan(_topicLength + _propertiesLength, PayloadLength);

    private int PayloadLength => _length - _topicLength - _propertiesLength;

    public void Take(in MqttMessage message, PublishCompletion completion, ushort packetIdentifier, long order)
    {
        var properties = message.Properties is null ? default : message.Properties.Encoded;
        (_topicLength, _propertiesLength) = (message.Topic.Length, properties.Length);
        _length = SizeOf(message);
        if (_bytes.Length < _length)
        {
            GiveBack();
            _bytes = ByteArrays.Rent(_length);
        }

        message.Topic.Span.CopyTo(_bytes);
        properties.CopyTo(_bytes.AsSpan(_topicLength));
        message.Payload.Span.CopyTo(_bytes.AsSpan(_topicLength + _propertiesLength));
        (Completion, PacketIdentifier, Order, Retain) = (completion, packetIdentifier, order, message.Retain);
        (WasSent, IsDuplicate, SentAt) = (false, false, 0);
    }

    public static int SizeOf(in MqttMessage message) =>
        message.Topic.Length + message.Payload.Length + (message.Properties?.Encoded.Length ?? 0);

    public void MarkSent(long timestamp) => (WasSent, SentAt) = (true, Math.Max(timestamp, 1));

    public void MarkUnsent(bool isSessionPresent) => (SentAt, IsDuplicate) = (0, isSessionPresent && WasSent);

    /// <summary>The completion of the message that leaves.</summary>
    public PublishCompletion Free()
    {
        var completion = Completion!;
        Completion = null;
        if (_bytes.Length > KeptBytes)
            GiveBack();
        return completion;
    }

    public void GiveBack()
    {
        if (_bytes.Length > 0)
            ByteArrays.Return(_bytes);
        _bytes = [];
    }
}
