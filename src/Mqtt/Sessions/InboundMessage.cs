using Gateway.Codec.Pooling;
using Gateway.Mqtt.Messages;
using Gateway.Mqtt.Packets;

namespace Gateway.Mqtt.Sessions;

/// <summary>A copy of a message that came: <c>[topic | properties | payload]</c> in a pooled array. Owner: the
/// <see cref="Inbox"/> until its handlers have ended, then <see cref="Release"/>.</summary>
internal readonly struct InboundMessage
{
    private readonly byte[] _bytes;
    private readonly int _topicLength;
    private readonly int _propertiesLength;
    private readonly bool _isRetained;
    private readonly bool _isDuplicate;

    public InboundMessage(in PublishPacket packet, long connection)
    {
        (_topicLength, _propertiesLength) = (packet.Topic.Length, packet.Properties.Length);
        Length = SizeOf(packet);
        _bytes = ByteArrays.Rent(Length);
        packet.Topic.CopyTo(_bytes);
        packet.Properties.CopyTo(_bytes.AsSpan(_topicLength));
        packet.Payload.CopyTo(_bytes.AsSpan(_topicLength + _propertiesLength));
        (_isRetained, _isDuplicate, Qos) = (packet.IsRetained, packet.IsDuplicate, packet.Qos);
        PacketIdentifier = packet.PacketIdentifier;
        Connection = connection;
    }

    public int Length { get; }

    public MqttQos Qos { get; }

    public ushort PacketIdentifier { get; }

    /// <summary>Number of the connection: PUBACK goes to that one or not at all.</summary>
    public long Connection { get; }

    public ReadOnlySpan<byte> Topic => _bytes.AsSpan(0, _topicLength);

    public static int SizeOf(in PublishPacket packet) =>
        packet.Topic.Length + packet.Properties.Length + packet.Payload.Length;

    public MqttReceived ToReceived() => new()
    {
        Topic = _bytes.AsMemory(0, _topicLength),
        Properties = _bytes.AsMemory(_topicLength, _propertiesLength),
        Payload = _bytes.AsMemory(_topicLength + _propertiesLength, Length - _topicLength - _propertiesLength),
        Qos = Qos,
        IsRetained = _isRetained,
        IsDuplicate = _isDuplicate,
    };

    /// <summary>Whether the broker sent it for the subscription of this identifier, perhaps beside others: one copy may
    /// carry several. Source: MQTT 5.0 §3.3.4.</summary>
    public bool IsFor(int identifier)
    {
        var properties = new PropertyReader(_bytes.AsSpan(_topicLength, _propertiesLength), ulong.MaxValue);
        while (properties.MoveNext())
        {
            if (properties.Id == PropertyId.SubscriptionIdentifier && properties.Number == identifier)
                return true;
        }

        return false;
    }

    public void Release() => ByteArrays.Return(_bytes);
}
