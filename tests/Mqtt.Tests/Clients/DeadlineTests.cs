using System.Net;
using System.Net.Sockets;
using Gateway.Mqtt.Messages;
using Gateway.Mqtt.Options;
using Gateway.Mqtt.Packets;
using Gateway.Mqtt.States;
using Gateway.Mqtt.Tests.Brokers;
using Gateway.Testing;

namespace Gateway.Mqtt.Tests.Clients;

/// <summary>A broker that hangs, at each stage; time is the test's.</summary>
public sealed class DeadlineTests
{
    private static readonly TimeSpan Deadline = TimeSpan.FromSeconds(8);

    private readonly ManualTimeProvider _time = new();

    [Fact]
    public async Task Tls_NoServerHello_ConnectTimeout()
    {
        await using var house = new ClientHouse(
            options => Change(limits => limits with { ConnectDeadline = Deadline })(options) with
            {
                Tls = new MqttTlsOptions(),
            },
            _time);
        house.Client.Start();
        var link = await house.Broker.AcceptAsync();

        _time.Advance(Deadline);

        Assert.Equal(MqttFault.ConnectTimeout, (await house.StateAsync(MqttClientState.Lost)).Fault);
        await link.DisposeAsync();
    }

    [Theory]
    [InlineData("")]
    [InlineData("20")]
    [InlineData("20 03 00 00")]
    public async Task CONNACK_NotWhole_ConnAckTimeout(string bytes)
    {
        await using var house = new ClientHouse(Change(limits => limits with { ConnAckDeadline = Deadline }), _time);
        house.Client.Start();
        var link = await house.Broker.AcceptAsync();
        await link.ReadAsync();
        if (bytes.Length > 0)
            await link.SendAsync(bytes);

        _time.Advance(Deadline);

        Assert.Equal(MqttFault.ConnAckTimeout, (await house.StateAsync(MqttClientState.Lost)).Fault);
        Assert.Equal(1, house.Client.Counters.Of(MqttFault.ConnAckTimeout));
        Assert.Null(await link.TryReadAsync());
    }

    [Fact]
    public async Task PUBACK_NeverComes_AckTimeout()
    {
        var (house, link) = await ConnectedAsync(limits => limits with { AckDeadline = Deadline });
        await using var _ = house;
        var publishing = house.PublishAsync("a");
        await link.ReadAsync();

        _time.Advance(Deadline * 1.5);

        Assert.Equal(MqttFault.AckTimeout, (await house.StateAsync(MqttClientState.Lost)).Fault);
        Assert.False(publishing.IsCompleted);
    }

    /// <summary>Others are acknowledged all the time: the one that is not ends the connection.</summary>
    [Fact]
    public async Task PUBACK_OfOneMessageNeverComes_AckTimeout()
    {
        var (house, link) = await ConnectedAsync(limits => limits with { AckDeadline = Deadline });
        await using var _ = house;
        var unanswered = house.PublishAsync("a");
        await link.ReadAsync();
        for (var i = 0; i < 3; i++)
        {
            _time.Advance(Deadline / 4);
            var publishing = house.PublishAsync("b");
            await link.AcknowledgeAsync(await link.ReadAsync());
            Assert.True((await publishing).IsSuccess);
        }

        _time.Advance(Deadline / 2);

        Assert.Equal(MqttFault.AckTimeout, (await house.StateAsync(MqttClientState.Lost)).Fault);
        Assert.False(unanswered.IsCompleted);
    }

    [Fact]
    public async Task SUBACK_NeverComes_AckTimeout()
    {
        var (house, link) = await ConnectedAsync(limits => limits with { AckDeadline = Deadline });
        await using var _ = house;
        var subscribing = house.Client.SubscribeAsync(new MqttSubscriptionOptions { Filter = "a" }, _ => default);
        await link.ReadAsync();

        _time.Advance(Deadline * 1.5);

        Assert.Equal(MqttFault.AckTimeout, (await house.StateAsync(MqttClientState.Lost)).Fault);
        Assert.False(subscribing.IsCompleted);
    }

    /// <summary>The broker's keep alive of 4 s instead of ours of 60 s: PINGREQ after three quarters of it
    /// (MQTT 5.0 §3.2.2.3.14).</summary>
    [Fact]
    public async Task PINGRESP_NeverComes_PingTimeout()
    {
        var (house, link) = await ConnectedAsync(
            limits => limits with { PingDeadline = Deadline }, "20 06 00 00 03 13 0004", TimeSpan.FromSeconds(60));
        await using var _ = house;
        _time.Advance(TimeSpan.FromSeconds(3.5));
        await link.ExpectAsync("C0 00");
        await link.SendAsync("D0 00 32 06 0001 'z' 0001 00");
        await link.ExpectAsync("40 02 0001");
        _time.Advance(TimeSpan.FromSeconds(3.5));
        await link.ExpectAsync("C0 00");

        _time.Advance(Deadline * 1.5);

        Assert.Equal(MqttFault.PingTimeout, (await house.StateAsync(MqttClientState.Lost)).Fault);
        Assert.Equal(1, house.Client.Counters.Of(MqttFault.PingTimeout));
    }

    /// <summary>Half a packet is no sign of life.</summary>
    [Fact]
    public async Task Packet_NeverWhole_PingTimeout()
    {
        var (house, link) = await ConnectedAsync(
            limits => limits with { PingDeadline = Deadline }, keepAlive: TimeSpan.FromSeconds(4));
        await using var _ = house;
        await link.SendAsync("30 FF 01 0001 'a'");
        _time.Advance(TimeSpan.FromSeconds(3.5));
        await link.ExpectAsync("C0 00");
        await link.SendAsync("00");

        _time.Advance(Deadline * 1.5);

        Assert.Equal(MqttFault.PingTimeout, (await house.StateAsync(MqttClientState.Lost)).Fault);
    }

    /// <summary>It reads nothing: the socket's buffers fill, then the queue, then publishes wait.</summary>
    [Fact]
    public async Task Broker_ReadsNothing_WriteTimeout()
    {
        var (house, _) = await ConnectedAsync(limits => limits with
        {
            WriteDeadline = Deadline,
            MaxSendQueueBytes = 1024 * 1024,
            MaxWaitingPublishes = 1,
        });
        await using var __ = house;
        var payload = new string('x', 500_000);
        async Task<MqttPublishOutcome> PublishOnAsync()
        {
            while (true)
            {
                var result = await house.PublishAsync("a", payload, MqttQos.AtMostOnce);
                if (!result.IsSuccess)
                    return result.Outcome;
            }
        }

        var publishing = PublishOnAsync();
        var lost = house.StateAsync(MqttClientState.Lost);
        await AdvanceUntilAsync(lost);

        Assert.Equal(MqttFault.WriteTimeout, (await lost).Fault);
        Assert.Equal(MqttPublishOutcome.NotConnected, await publishing);
    }

    /// <summary>3.1.1 has no receive maximum: QoS 1 that finds the inbox full stops the reading loop.</summary>
    [Fact]
    public async Task Handler_NeverEnds_InboxTimeout()
    {
        var house = new ClientHouse(
            options => options with
            {
                Version = MqttVersion.V311,
                Limits = options.Limits with { InboxDeadline = Deadline, MaxInboxMessages = 1 },
            },
            _time);
        await using var _ = house;
        house.Client.Start();
        var link = await house.Broker.WelcomeAsync(FakeBroker.Welcome311);
        var release = new TaskCompletionSource();
        var entered = new TaskCompletionSource();
        await house.SubscribeAsync(link, "a", async _ =>
        {
            entered.TrySetResult();
            await release.Task;
        });
        await link.SendAsync("32 05 0001 'a' 0001");
        await entered.Task.WaitAsync(Patience.Limit);
        await link.SendAsync("30 03 0001 'a'");
        await link.SendAsync("32 05 0001 'a' 0002");

        // The last message reaches the loop at its own time: the deadline begins with it.
        var lost = house.StateAsync(MqttClientState.Lost);
        await AdvanceUntilAsync(lost);

        Assert.Equal(MqttFault.InboxTimeout, (await lost).Fault);
        Assert.Equal(2, house.Client.Counters.Received);
        release.SetResult();
    }

    [Fact]
    public async Task Nothing_Listens_ConnectFailedAndTriedAgain()
    {
        using var listener = new Socket(SocketType.Stream, ProtocolType.Tcp);
        listener.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        await using var house = new ClientHouse(
            options => options with { Port = ((IPEndPoint)listener.LocalEndPoint!).Port });
        house.Client.Start();

        for (var attempt = 0; attempt < 3; attempt++)
            Assert.Equal(MqttFault.ConnectFailed, (await house.StateAsync(MqttClientState.Lost)).Fault);
    }

    /// <summary>For deadlines that begin when a socket's buffer or the inbox is full, at a moment of its own.</summary>
    private async Task AdvanceUntilAsync(Task task)
    {
        using var patience = new CancellationTokenSource(Patience.Limit);
        using var timer = new PeriodicTimer(TimeSpan.FromMilliseconds(10));
        while (!task.IsCompleted && await timer.WaitForNextTickAsync(patience.Token))
            _time.Advance(Deadline / 4);
    }

    private Task<(ClientHouse House, BrokerLink Link)> ConnectedAsync(
        Func<MqttLimits, MqttLimits> change, string connAck = FakeBroker.Welcome5, TimeSpan keepAlive = default) =>
        ClientHouse.ConnectedAsync(
            connAck,
            options => Change(change)(options) with { KeepAlive = keepAlive },
            _time);

    private static Func<MqttClientOptions, MqttClientOptions> Change(Func<MqttLimits, MqttLimits> change) =>
        options => options with { Limits = change(options.Limits) };
}
