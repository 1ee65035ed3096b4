using System.Text;
using Gateway.Mqtt.Packets;

namespace Gateway.Mqtt.Messages;

/// <summary>Properties of messages, encoded once and used by any number of them. Threads: any; it never changes.
/// Errors: ArgumentException for a text that MQTT does not allow. Source: MQTT 5.0 §3.3.2.3.</summary>
public sealed class MqttPublishProperties
{
    /// <summary>So that properties never make most of a packet.</summary>
    private const int MaxBytes = 64 * 1024;

    private readonly byte[] _encoded;

    public MqttPublishProperties(
        string? contentType = null,
        string? responseTopic = null,
        TimeSpan? messageExpiry = null,
        ReadOnlyMemory<byte> correlationData = default,
        bool isText = false,
        IReadOnlyList<KeyValuePair<string, string>>? userProperties = null)
    {
        using var bytes = new MemoryStream();
        if (isText)
            Write(bytes, PropertyId.PayloadFormatIndicator, [1]);
        if (messageExpiry is { } expiry)
            Write(bytes, PropertyId.MessageExpiryInterval, ToSeconds(expiry));
        if (contentType is not null)
            Write(bytes, PropertyId.ContentType, Binary(TextOf(contentType)));
        if (responseTopic is not null)
            Write(bytes, PropertyId.ResponseTopic, Binary(TopicOf(responseTopic)));
        if (!correlationData.IsEmpty)
            Write(bytes, PropertyId.CorrelationData, Binary(correlationData.ToArray()));
        foreach (var (name, value) in userProperties ?? [])
            Write(bytes, PropertyId.UserProperty, [.. Binary(TextOf(name)), .. Binary(TextOf(value))]);
        _encoded = bytes.ToArray();
        if (_encoded.Length > MaxBytes)
            throw new ArgumentException($"The properties are longer than {MaxBytes} bytes.");
    }

    internal ReadOnlySpan<byte> Encoded => _encoded;

    private static void Write(MemoryStream bytes, PropertyId id, byte[] value)
    {
        bytes.WriteByte((byte)id);
        bytes.Write(value);
    }

    private static byte[] ToSeconds(TimeSpan expiry)
    {
        var seconds = new byte[4];
        new PacketWriter(seconds).WriteUInt32((uint)Math.Clamp(expiry.TotalSeconds, 0, uint.MaxValue));
        return seconds;
    }

    private static byte[] TopicOf(string topic)
    {
        var bytes = TextOf(topic);
        return MqttText.IsTopicName(bytes)
            ? bytes
            : throw new ArgumentException("The response topic is no topic name.");
    }

    private static byte[] TextOf(string text)
    {
        var bytes = Encoding.UTF8.GetBytes(text);
        return MqttText.IsText(bytes) ? bytes : throw new ArgumentException("The text is too long or holds U+0000.");
    }

    private static byte[] Binary(byte[] bytes)
    {
        if (bytes.Length > MqttText.MaxLength)
            throw new ArgumentException($"The bytes are more than {MqttText.MaxLength}.");
        return [(byte)(bytes.Length >> 8), (byte)bytes.Length, .. bytes];
    }
}
