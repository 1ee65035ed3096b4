using System.Text;
using System.Threading.Channels;
using Gateway.Mqtt.Messages;
using Gateway.Mqtt.Options;
using Gateway.Mqtt.Packets;
using Gateway.Mqtt.States;
using Gateway.Testing;

namespace Gateway.Mqtt.Tests.RealPeers;

/// <summary>Our client at a real broker: its states and its messages as queues.</summary>
internal sealed class PeerClient : IAsyncDisposable
{
    private readonly Channel<MqttStateChange> _states = Channel.CreateUnbounded<MqttStateChange>();
    private readonly Channel<string> _messages = Channel.CreateUnbounded<string>();

    public PeerClient(MqttClientOptions options)
    {
        Client = new MqttClient(options) { Connect = MqttClient.OpenSocketAsync };
        Client.StateChanged += change => _states.Writer.TryWrite(change);
    }

    public MqttClient Client { get; }

    public static async Task<PeerClient> ConnectedAsync(MqttClientOptions options)
    {
        var peer = new PeerClient(options);
        peer.Client.Start();
        await peer.StateAsync(MqttClientState.Connected);
        return peer;
    }

    public async Task<MqttStateChange> StateAsync(MqttClientState state)
    {
        using var patience = new CancellationTokenSource(Patience.Limit);
        await foreach (var change in _states.Reader.ReadAllAsync(patience.Token))
        {
            if (change.State == state)
                return change;
        }

        throw new InvalidOperationException("The states ended.");
    }

    public Task<MqttSubscription> SubscribeAsync(string filter) => Client.SubscribeAsync(
        new MqttSubscriptionOptions { Filter = filter }, Take).WaitAsync(Patience.Limit);

    /// <summary>The next message: <c>topic payload</c>, and <c>retained</c> and its properties where it has them.
    /// </summary>
    public async Task<string> MessageAsync() =>
        await _messages.Reader.ReadAsync().AsTask().WaitAsync(Patience.Limit);

    public Task<MqttPublishResult> PublishAsync(
        string topic, string payload, MqttQos qos = MqttQos.AtLeastOnce, bool retain = false,
        MqttPublishProperties? properties = null) =>
        Client.PublishAsync(new MqttMessage
        {
            Topic = Encoding.UTF8.GetBytes(topic),
            Payload = Encoding.UTF8.GetBytes(payload),
            Qos = qos,
            Retain = retain,
            Properties = properties,
        }).AsTask().WaitAsync(Patience.Limit);

    public ValueTask DisposeAsync() => Client.DisposeAsync();

    private ValueTask Take(MqttReceived message)
    {
        var text = $"{Encoding.UTF8.GetString(message.Topic.Span)} {Encoding.UTF8.GetString(message.Payload.Span)}"
            + (message.IsRetained ? " retained" : "")
            + (message.ContentType is { } type ? $" {type}" : "")
            + (message.ResponseTopic is { } topic ? $" {topic}" : "")
            + string.Concat(message.ReadUserProperties().Select(pair => $" {pair.Key}={pair.Value}"));
        _messages.Writer.TryWrite(text);
        return default;
    }
}
