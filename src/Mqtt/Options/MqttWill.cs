using System.Text;
using Gateway.Mqtt.Messages;
using Gateway.Mqtt.Packets;

namespace Gateway.Mqtt.Options;

/// <summary>The message that the broker publishes when this client vanishes. Source: MQTT 5.0 §3.1.2.5.</summary>
public sealed record MqttWill
{
    public required string Topic { get; init; }

    /// <summary>At most 65,535 bytes.</summary>
    public ReadOnlyMemory<byte> Payload { get; init; }

    public MqttQos Qos { get; init; }

    public bool Retain { get; init; }

    /// <summary>How long the broker waits for the client to come back; whole seconds, at least one, or zero; 5.0 only.
    /// </summary>
    public TimeSpan Delay { get; init; }

    /// <summary>5.0 only.</summary>
    public MqttPublishProperties? Properties { get; init; }

    internal byte[] EncodeProperties()
    {
        var properties = Properties is null ? default : Properties.Encoded;
        var encoded = new byte[(Delay > TimeSpan.Zero ? 5 : 0) + properties.Length];
        if (Delay > TimeSpan.Zero)
            new PacketWriter(encoded).WriteProperty(PropertyId.WillDelayInterval, (uint)Delay.TotalSeconds);
        properties.CopyTo(encoded.AsSpan(encoded.Length - properties.Length));
        return encoded;
    }

    internal IEnumerable<string> Validate(string path)
    {
        if (!MqttText.IsTopicName(Encoding.UTF8.GetBytes(Topic)))
            yield return $"{path}:Topic: '{Topic}' is no topic name: it is empty or holds + or #";
        if (Payload.Length > MqttText.MaxLength)
            yield return $"{path}:Payload: longer than {MqttText.MaxLength} bytes";
        if (!Enum.IsDefined(Qos))
            yield return $"{path}:Qos: {Qos} is neither 0 nor 1";
        if (!MqttClientOptions.IsZeroOrSeconds(Delay, uint.MaxValue))
            yield return $"{path}:Delay: {Delay} is out of range";
    }
}
