using System.Text;
using Gateway.Mqtt.Packets;

namespace Gateway.Mqtt.Messages;

/// <summary>A message that came. Its memory is valid until the handler's task has ended.</summary>
public readonly struct MqttReceived
{
    private const ulong All = ulong.MaxValue;

    /// <summary>UTF-8, checked; also where the broker sent only an alias.</summary>
    public ReadOnlyMemory<byte> Topic { get; init; }

    public ReadOnlyMemory<byte> Payload { get; init; }

    public MqttQos Qos { get; init; }

    /// <summary>It was kept by the broker before the subscription.</summary>
    public bool IsRetained { get; init; }

    /// <summary>It may have come before (DUP).</summary>
    public bool IsDuplicate { get; init; }

    /// <summary>Null: the publisher gave none.</summary>
    public string? ContentType => TextOf(PropertyId.ContentType);

    /// <summary>Null: the publisher gave none.</summary>
    public string? ResponseTopic => TextOf(PropertyId.ResponseTopic);

    /// <summary>The rest of its life when the broker sent it; null: it does not expire.</summary>
    public TimeSpan? MessageExpiry =>
        Find(PropertyId.MessageExpiryInterval) is { Fault: MqttFault.None, Id: PropertyId.MessageExpiryInterval } found
            ? TimeSpan.FromSeconds(found.Number)
            : null;

    public ReadOnlySpan<byte> CorrelationData => Find(PropertyId.CorrelationData).Bytes;

    internal ReadOnlyMemory<byte> Properties { get; init; }

    /// <summary>In the publisher's order; it makes new strings at each call.</summary>
    public IReadOnlyList<KeyValuePair<string, string>> ReadUserProperties()
    {
        var list = new List<KeyValuePair<string, string>>();
        var properties = new PropertyReader(Properties.Span, All);
        while (properties.MoveNext())
        {
            if (properties.Id == PropertyId.UserProperty)
                list.Add(new(Encoding.UTF8.GetString(properties.Bytes), Encoding.UTF8.GetString(properties.Value)));
        }

        return list;
    }

    private string? TextOf(PropertyId id) =>
        Find(id) is { Fault: MqttFault.None } found && found.Id == id ? Encoding.UTF8.GetString(found.Bytes) : null;

    private PropertyReader Find(PropertyId id)
    {
        var properties = new PropertyReader(Properties.Span, All);
        while (properties.MoveNext())
        {
            if (properties.Id == id)
                return properties;
        }

        return default;
    }
}
