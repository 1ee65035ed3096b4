namespace Gateway.Mqtt.Packets;

/// <summary>
/// CONNECT: what this client says first.
/// <code>
/// | "MQTT" | version | flags | keep alive | properties (5.0) | client id | Will | user name | password |
/// </code>
/// Source: MQTT 5.0 §3.1, MQTT 3.1.1 §3.1.
/// </summary>
internal sealed record ConnectForm
{
    public required MqttVersion Version { get; init; }

    public required byte[] ClientId { get; init; }

    /// <summary>5.0: Clean Start. 3.1.1: Clean Session.</summary>
    public bool CleanStart { get; init; }

    public ushort KeepAliveSeconds { get; init; }

    public uint SessionExpirySeconds { get; init; }

    public ushort ReceiveMaximum { get; init; }

    public uint MaximumPacketSize { get; init; }

    public ushort TopicAliasMaximum { get; init; }

    public byte[]? UserName { get; init; }

    public byte[]? Password { get; init; }

    /// <summary>Null: no Will.</summary>
    public byte[]? WillTopic { get; init; }

    public byte[] WillPayload { get; init; } = [];

    /// <summary>Encoded, without their length.</summary>
    public byte[] WillProperties { get; init; } = [];

    public MqttQos WillQos { get; init; }

    public bool WillRetain { get; init; }

    public byte[] ToBytes()
    {
        var body = new PacketWriter(default);
        WriteBody(ref body);
        var packet = new byte[1 + PacketWriter.SizeOfLength(body.Length) + body.Length];
        var writer = new PacketWriter(packet);
        writer.WriteHeader(PacketType.Connect, 0, body.Length);
        WriteBody(ref writer);
        return packet;
    }

    /// <summary>The bytes of the password are of no more use.</summary>
    public void ClearPassword() => Password?.AsSpan().Clear();

    private void WriteBody(ref PacketWriter writer)
    {
        writer.WriteBinary("MQTT"u8);
        writer.WriteByte((byte)Version);
        writer.WriteByte(Flags());
        writer.WriteUInt16(KeepAliveSeconds);
        if (Version == MqttVersion.V5)
        {
            var properties = new PacketWriter(default);
            WriteProperties(ref properties);
            writer.WriteVariableByteInteger(properties.Length);
            WriteProperties(ref writer);
        }

        writer.WriteBinary(ClientId);
        if (WillTopic is not null)
            WriteWill(ref writer);
        if (UserName is not null)
            writer.WriteBinary(UserName);
        if (Password is not null)
            writer.WriteBinary(Password);
    }

    private byte Flags() => (byte)((CleanStart ? 0x02 : 0)
        | (WillTopic is null ? 0 : 0x04 | ((int)WillQos << 3) | (WillRetain ? 0x20 : 0))
        | (Password is null ? 0 : 0x40)
        | (UserName is null ? 0 : 0x80));

    private void WriteProperties(ref PacketWriter writer)
    {
        if (SessionExpirySeconds > 0)
            writer.WriteProperty(PropertyId.SessionExpiryInterval, SessionExpirySeconds);
        writer.WriteProperty(PropertyId.ReceiveMaximum, ReceiveMaximum);
        writer.WriteProperty(PropertyId.MaximumPacketSize, MaximumPacketSize);
        if (TopicAliasMaximum > 0)
            writer.WriteProperty(PropertyId.TopicAliasMaximum, TopicAliasMaximum);
    }

    private void WriteWill(ref PacketWriter writer)
    {
        if (Version == MqttVersion.V5)
        {
            writer.WriteVariableByteInteger(WillProperties.Length);
            writer.WriteBytes(WillProperties);
        }

        writer.WriteBinary(WillTopic);
        writer.WriteBinary(WillPayload);
    }
}
