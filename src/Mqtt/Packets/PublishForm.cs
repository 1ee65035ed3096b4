namespace Gateway.Mqtt.Packets;

/// <summary>
/// A PUBLISH that goes: how long it is, and its bytes. Topic and payload are not checked here.
/// Source: MQTT 5.0 §3.3, MQTT 3.1.1 §3.3.
/// </summary>
internal readonly ref struct PublishForm
{
    public required MqttVersion Version { get; init; }

    /// <summary>Empty where the alias alone names the topic.</summary>
    public required ReadOnlySpan<byte> Topic { get; init; }

    public required ReadOnlySpan<byte> Payload { get; init; }

    /// <summary>Encoded, without their length; not written by 3.1.1.</summary>
    public ReadOnlySpan<byte> Properties { get; init; }

    public MqttQos Qos { get; init; }

    public bool Retain { get; init; }

    public bool IsDuplicate { get; init; }

    /// <summary>With QoS 1.</summary>
    public ushort PacketIdentifier { get; init; }

    /// <summary>0: none.</summary>
    public ushort TopicAlias { get; init; }

    private int PropertiesLength => Properties.Length + (TopicAlias == 0 ? 0 : 3);

    /// <summary>Bytes behind the header; above <see cref="FixedHeader.MaxRemainingLength"/> it cannot be sent.
    /// </summary>
    public long RemainingLength
    {
        get
        {
            var length = 2L + Topic.Length + (Qos == MqttQos.AtMostOnce ? 0 : 2) + Payload.Length;
            return Version == MqttVersion.V5
                ? length + PacketWriter.SizeOfLength(PropertiesLength) + PropertiesLength
                : length;
        }
    }

    public long PacketLength => RemainingLength + 1
        + PacketWriter.SizeOfLength((int)Math.Min(RemainingLength, FixedHeader.MaxRemainingLength));

    /// <param name="target">Of <see cref="PacketLength"/> bytes or more.</param>
    public void Write(Span<byte> target)
    {
        var writer = new PacketWriter(target);
        var flags = (IsDuplicate ? 8 : 0) | ((int)Qos << 1) | (Retain ? 1 : 0);
        writer.WriteHeader(PacketType.Publish, flags, (int)RemainingLength);
        writer.WriteBinary(Topic);
        if (Qos != MqttQos.AtMostOnce)
            writer.WriteUInt16(PacketIdentifier);
        if (Version == MqttVersion.V5)
        {
            writer.WriteVariableByteInteger(PropertiesLength);
            if (TopicAlias != 0)
                writer.WriteProperty(PropertyId.TopicAlias, TopicAlias);
            writer.WriteBytes(Properties);
        }

        writer.WriteBytes(Payload);
    }
}
