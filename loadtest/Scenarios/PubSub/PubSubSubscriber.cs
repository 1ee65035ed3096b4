using System.Text.Json;
using Gateway.Mqtt;
using Gateway.Mqtt.Messages;
using Gateway.Mqtt.Options;
using Gateway.Mqtt.Packets;

namespace Gateway.Loadtest.Scenarios.PubSub;

/// <summary>One subscriber of all data. Its broker keeps its session, and sends at most once: so what the broker has
/// acknowledged to the publisher is written to this one's socket before, and no window holds it back in the broker,
/// where a SIGKILL would lose it.</summary>
internal sealed class PubSubSubscriber : IAsyncDisposable
{
    private static readonly TimeSpan Reconnect = TimeSpan.FromMilliseconds(100);

    private readonly MqttClient _client;
    private readonly IMessageDecoder _decoder;
    private long _bytes;

    private PubSubSubscriber(int brokerPort, IMessageDecoder decoder, PublishedCheck check)
    {
        (_decoder, Check) = (decoder, check);
        _client = new MqttClient(new MqttClientOptions
        {
            Host = "127.0.0.1",
            Port = brokerPort,
            ClientId = "loadtest-subscriber",
            SessionExpiry = TimeSpan.FromHours(1),
            Limits = new MqttLimits
            {
                ReconnectDelay = Reconnect,
                LongestReconnectDelay = Reconnect,
                MaxInboxMessages = 16 * 1024,
                MaxInboxBytes = 64 * 1024 * 1024,
            },
        })
        {
            Connect = MqttClient.OpenSocketAsync,
        };
    }

    public PublishedCheck Check { get; }

    /// <summary>Of the payloads.</summary>
    public long Bytes => Volatile.Read(ref _bytes);

    /// <summary>Returns with the broker's word.</summary>
    public static async Task<PubSubSubscriber> StartAsync(
        int brokerPort, string filter, IMessageDecoder decoder, PublishedCheck check, CancellationToken cancellation)
    {
        var subscriber = new PubSubSubscriber(brokerPort, decoder, check);
        subscriber._client.Start();
        await subscriber._client.SubscribeAsync(
            new MqttSubscriptionOptions { Filter = filter, Qos = MqttQos.AtMostOnce }, subscriber.TakeAsync,
            cancellation);
        return subscriber;
    }

    public ValueTask DisposeAsync() => _client.DisposeAsync();

    private ValueTask TakeAsync(MqttReceived message)
    {
        var isRead = false;
        try
        {
            isRead = _decoder.TryRead(message.Payload.Span, Check);
        }
        catch (Exception error) when (error is JsonException or FormatException or InvalidOperationException)
        {
            // It counts as one that cannot be read.
        }

        if (!isRead)
            Check.AddUnreadable();
        Volatile.Write(ref _bytes, _bytes + message.Payload.Length);
        return ValueTask.CompletedTask;
    }
}
