using System.Text;
using System.Threading.Channels;
using Gateway.Mqtt.Messages;
using Gateway.Mqtt.Options;
using Gateway.Mqtt.Packets;
using Gateway.Mqtt.States;
using Gateway.Mqtt.Tests.Brokers;
using Gateway.Testing;

namespace Gateway.Mqtt.Tests.Clients;

/// <summary>A client with the scripted broker in front of it, and the states that it told.</summary>
internal sealed class ClientHouse : IAsyncDisposable
{
    /// <summary>Deadlines that no slow machine meets, and reconnects at once.</summary>
    public static readonly MqttLimits Patient = new()
    {
        ConnectDeadline = Patience.Limit,
        ConnAckDeadline = Patience.Limit,
        PingDeadline = Patience.Limit,
        AckDeadline = Patience.Limit,
        WriteDeadline = Patience.Limit,
        InboxDeadline = Patience.Limit,
        ReconnectDelay = TimeSpan.FromMilliseconds(1),
        LongestReconnectDelay = TimeSpan.FromMilliseconds(10),
        OperatorDelay = TimeSpan.FromMilliseconds(10),
        MaxTopicAliases = 0,
    };

    private readonly Channel<MqttStateChange> _states = Channel.CreateUnbounded<MqttStateChange>();
    private readonly MqttVersion _version;

    public ClientHouse(Func<MqttClientOptions, MqttClientOptions>? change = null, TimeProvider? time = null)
    {
        var options = new MqttClientOptions
        {
            Host = "127.0.0.1",
            Port = Broker.Port,
            ClientId = "test",
            KeepAlive = TimeSpan.Zero,
            Limits = Patient,
        };
        options = change?.Invoke(options) ?? options;
        _version = options.Version;
        Client = new MqttClient(options, time) { Connect = MqttClient.OpenSocketAsync };
        Client.StateChanged += state => _states.Writer.TryWrite(state);
    }

    public FakeBroker Broker { get; } = new();

    public MqttClient Client { get; }

    public static async Task<(ClientHouse House, BrokerLink Link)> ConnectedAsync(
        string connAck = FakeBroker.Welcome5,
        Func<MqttClientOptions, MqttClientOptions>? change = null,
        TimeProvider? time = null)
    {
        var house = new ClientHouse(change, time);
        house.Client.Start();
        var link = await house.Broker.WelcomeAsync(connAck);
        await house.StateAsync(MqttClientState.Connected);
        return (house, link);
    }

    /// <summary>The next change to that state.</summary>
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

    public Task<MqttPublishResult> PublishAsync(
        string topic, string payload = "x", MqttQos qos = MqttQos.AtLeastOnce, bool retain = false) =>
        Client.PublishAsync(new MqttMessage
        {
            Topic = Encoding.UTF8.GetBytes(topic),
            Payload = Encoding.UTF8.GetBytes(payload),
            Qos = qos,
            Retain = retain,
        }).AsTask().WaitAsync(Patience.Limit);

    /// <summary>Subscribes, and answers the SUBSCRIBE of it with QoS 1.</summary>
    public async Task<MqttSubscription> SubscribeAsync(BrokerLink link, string filter, MqttMessageHandler handler)
    {
        var subscribing = Client.SubscribeAsync(new MqttSubscriptionOptions { Filter = filter }, handler);
        var subscribe = await link.ReadAsync();
        Assert.Equal(0x82, subscribe.First);
        var id = Convert.ToHexString(subscribe.Body.AsSpan(0, 2));
        await link.SendAsync(_version == MqttVersion.V5 ? $"90 04 {id} 00 01" : $"90 03 {id} 01");
        return await subscribing.WaitAsync(Patience.Limit);
    }

    public async ValueTask DisposeAsync()
    {
        await Broker.DisposeAsync();
        await Client.DisposeAsync();
    }
}
