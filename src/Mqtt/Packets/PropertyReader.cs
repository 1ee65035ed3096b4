namespace Gateway.Mqtt.Packets;

/// <summary>Walks the properties of one packet. Errors: MalformedPacket for an unknown identifier or a length that
/// lies; ProtocolError for one that this packet may not carry, or carries twice. Source: MQTT 5.0 §2.2.2.</summary>
/// <param name="properties">Without the length in front.</param>
/// <param name="allowed">The identifiers that this packet may carry: bit n for identifier n.</param>
internal ref struct PropertyReader(ReadOnlySpan<byte> properties, ulong allowed)
{
    private const ulong Repeatable =
        (1UL << (int)PropertyId.UserProperty) | (1UL << (int)PropertyId.SubscriptionIdentifier);

    private PacketReader _reader = new(properties);
    private ulong _seen;

    public readonly MqttFault Fault => _reader.Fault;

    public PropertyId Id { get; private set; }

    /// <summary>Of a numeric property.</summary>
    public uint Number { get; private set; }

    /// <summary>Of a text or binary property; of a user property its name.</summary>
    public ReadOnlySpan<byte> Bytes { get; private set; }

    /// <summary>Of a user property.</summary>
    public ReadOnlySpan<byte> Value { get; private set; }

    public static ulong Set(params ReadOnlySpan<PropertyId> ids)
    {
        var set = 0UL;
        foreach (var id in ids)
            set |= 1UL << (int)id;
        return set;
    }

    /// <summary>False at the end or at the first error.</summary>
    public bool MoveNext()
    {
        if (_reader.Remaining == 0)
            return false;
        var id = _reader.ReadByte();
        Id = (PropertyId)id;
        ReadValue();
        var bit = id < 64 ? 1UL << id : 0;
        if (_reader.Fault == MqttFault.None && ((bit & allowed) == 0 || (bit & _seen & ~Repeatable) != 0))
            _reader.Fail(MqttFault.ProtocolError);
        _seen |= bit;
        return _reader.Fault == MqttFault.None;
    }

    private void ReadValue()
    {
        switch (Id)
        {
            case PropertyId.PayloadFormatIndicator or PropertyId.MaximumQoS or PropertyId.RetainAvailable
                or PropertyId.WildcardSubscriptionAvailable or PropertyId.SubscriptionIdentifierAvailable
                or PropertyId.SharedSubscriptionAvailable:
                Number = _reader.ReadByte();
                if (Number > 1)
                    _reader.Fail(MqttFault.ProtocolError);
                break;
            case PropertyId.ServerKeepAlive or PropertyId.TopicAliasMaximum or PropertyId.TopicAlias:
                Number = _reader.ReadUInt16();
                break;
            case PropertyId.ReceiveMaximum:
                Number = NotZero(_reader.ReadUInt16());
                break;
            case PropertyId.MessageExpiryInterval or PropertyId.SessionExpiryInterval
                or PropertyId.WillDelayInterval:
                Number = _reader.ReadUInt32();
                break;
            case PropertyId.MaximumPacketSize:
                Number = NotZero(_reader.ReadUInt32());
                break;
            case PropertyId.SubscriptionIdentifier:
                Number = NotZero((uint)_reader.ReadVariableByteInteger());
                break;
            case PropertyId.CorrelationData or PropertyId.AuthenticationData:
                Bytes = _reader.ReadBinary();
                break;
            case PropertyId.ContentType or PropertyId.ResponseTopic or PropertyId.AssignedClientIdentifier
                or PropertyId.AuthenticationMethod or PropertyId.ResponseInformation or PropertyId.ServerReference
                or PropertyId.ReasonString:
                Bytes = _reader.ReadText();
                break;
            case PropertyId.UserProperty:
                Bytes = _reader.ReadText();
                Value = _reader.ReadText();
                break;
            default:
                _reader.Fail(MqttFault.MalformedPacket);
                break;
        }
    }

    private uint NotZero(uint value)
    {
        if (value == 0)
            _reader.Fail(MqttFault.ProtocolError);
        return value;
    }
}
