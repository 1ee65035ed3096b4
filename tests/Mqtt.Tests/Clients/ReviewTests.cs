using Gateway.Mqtt.Connections;
using Gateway.Mqtt.Messages;
using Gateway.Mqtt.Options;
using Gateway.Mqtt.Packets;
using Gateway.Mqtt.Sessions;
using Gateway.Mqtt.States;
using Gateway.Mqtt.Tests.Brokers;
using Gateway.Testing;

namespace Gateway.Mqtt.Tests.Clients;

/// <summary>Rules at the edges of a connection.</summary>
public sealed class ReviewTests
{
    private static readonly MqttClientOptions Plain = new() { Host = "127.0.0.1", ClientId = "test" };

    [Fact]
    public void Options_ToString_HidesThePassword()
    {
        var options = Plain with { UserName = "anna", Password = "hunter2" };

        Assert.DoesNotContain("hunter2", options.ToString(), StringComparison.Ordinal);
        Assert.Contains("anna", options.ToString(), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("broker.example", false, false)]
    [InlineData("192.0.2.1", false, false)]
    [InlineData("broker.example", true, true)]
    [InlineData("localhost", false, true)]
    [InlineData("127.0.0.1", false, true)]
    [InlineData("::1", false, true)]
    public void Options_PasswordWithoutTls_OnlyToThisMachine(string host, bool hasTls, bool isValid)
    {
        var options = Plain with
        {
            Host = host,
            UserName = "anna",
            Password = "secret",
            Tls = hasTls ? new MqttTlsOptions() : null,
        };

        Assert.Equal(isValid, options.Validate("Mqtt").Count == 0);
    }

    [Fact]
    public void Options_PartsOfASecondAndUnknownQos_AreErrors()
    {
        var options = Plain with
        {
            KeepAlive = TimeSpan.FromMilliseconds(500),
            SessionExpiry = TimeSpan.FromMilliseconds(1),
            Will = new MqttWill { Topic = "a", Delay = TimeSpan.FromMilliseconds(999), Qos = (MqttQos)2 },
        };

        string[] keys = ["Mqtt:KeepAlive", "Mqtt:SessionExpiry", "Mqtt:Will:Delay", "Mqtt:Will:Qos"];
        var errors = options.Validate("Mqtt");
        Assert.All(keys, key => Assert.Contains(errors, error => error.StartsWith(key, StringComparison.Ordinal)));
    }

    /// <summary>A link of 16 KiB a second: the queue of a mebibyte takes a minute, and each slice its four seconds.
    /// </summary>
    [Fact]
    public async Task Write_SlowLinkThatMakesProgress_NoWriteTimeout()
    {
        var time = new ManualTimeProvider();
        var written = 0;
        var done = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        const int payload = 900_000;
        var limits = ClientHouse.Patient with { WriteDeadline = TimeSpan.FromSeconds(8) };
        var parts = new ClientParts(Plain with { KeepAlive = TimeSpan.Zero, Limits = limits }, time);
        var stream = new ScriptStream([0x20, 3, 0, 0, 0])
        {
            Written = bytes =>
            {
                for (var left = bytes.Length; left > 0; left -= 16 * 1024)
                    time.Advance(TimeSpan.FromSeconds(left < 16 * 1024 ? 0.5 : 1));
                if (Interlocked.Add(ref written, bytes.Length) > payload)
                    done.TrySetResult();
            },
        };
        await using var connection = new BrokerConnection(stream, parts, 1);
        connection.Start(await connection.OpenAsync(
            parts.Options.ToConnect("test", true), CancellationToken.None));
        var serving = connection.ServeAsync();

        var result = await parts.Outbound.Publish(
            new MqttMessage { Topic = "a"u8.ToArray(), Payload = new byte[payload] }, CancellationToken.None);
        Assert.True(result.IsSuccess);
        await Task.WhenAny(done.Task, serving).WaitAsync(Patience.Limit);

        Assert.False(serving.IsCompleted);
        connection.RequestEnd(MqttReasonCode.Success);
        await serving.WaitAsync(Patience.Limit);
    }

    /// <summary>3.1.1, an inbox of one message and a handler that does not end: we cannot read, but PINGREQ goes.
    /// </summary>
    [Fact]
    public async Task KeepAlive_WhileTheInboxIsFull_PingsWithoutAnAnswer()
    {
        var time = new ManualTimeProvider();
        var (house, link) = await ClientHouse.ConnectedAsync(
            FakeBroker.Welcome311,
            options => options with
            {
                Version = MqttVersion.V311,
                KeepAlive = TimeSpan.FromSeconds(4),
                Limits = options.Limits with { MaxInboxMessages = 1, PingDeadline = TimeSpan.FromSeconds(8) },
            },
            time);
        await using var _ = house;
        var release = new TaskCompletionSource();
        await house.SubscribeAsync(link, "a", async _ => await release.Task);
        await link.SendAsync("32 05 0001 'a' 0001 32 05 0001 'a' 0002 32 05 0001 'a' 0003");
        var lost = house.StateAsync(MqttClientState.Lost);

        // The last message reaches the loop at its own time.
        using var patience = new CancellationTokenSource(Patience.Limit);
        using var timer = new PeriodicTimer(TimeSpan.FromMilliseconds(10));
        try
        {
            for (var pings = 0; pings < 5; pings++)
            {
                var reading = link.ReadAsync();
                while (!reading.IsCompleted && await timer.WaitForNextTickAsync(patience.Token))
                    time.Advance(TimeSpan.FromSeconds(1));
                Assert.Equal("C0 ", (await reading).ToString());
            }

            Assert.False(lost.IsCompleted);
        }
        finally
        {
            // The end of the client waits for it.
            release.SetResult();
        }
    }

    /// <summary>MQTT 5.0 §3.2.2.3.7 and §3.2.2.1.1: another name than ours, and an old session where we asked for a new
    /// one.</summary>
    [Theory]
    [InlineData("20 09 00 00 06 12 0003 'abc'")]
    [InlineData("20 03 01 00 00")]
    public async Task CONNACK_AgainstOurConnect_ProtocolError(string connAck)
    {
        await using var house = new ClientHouse();
        house.Client.Start();
        await house.Broker.WelcomeAsync(connAck);

        Assert.Equal(MqttFault.ProtocolError, (await house.StateAsync(MqttClientState.Lost)).Fault);
        Assert.Equal("test", house.Client.ClientId);
    }

    [Fact]
    public async Task PUBACK_Stray_ConnectionStays()
    {
        var (house, link) = await ClientHouse.ConnectedAsync();
        await using var _ = house;

        await link.SendAsync("40 02 0001");
        var publishing = house.PublishAsync("a");
        await link.AcknowledgeAsync(await link.ReadAsync());

        Assert.True((await publishing).IsSuccess);
        Assert.Equal((MqttClientState.Connected, 1), (house.Client.State, house.Client.Counters.Connections));
    }

    [Theory]
    [InlineData(MqttVersion.V5, "E0 01 04")]
    [InlineData(MqttVersion.V311, null)]
    public async Task DisconnectAsync_WithWill_SecondCallChangesNothing(MqttVersion version, string? expected)
    {
        var (house, link) = await ClientHouse.ConnectedAsync(
            version == MqttVersion.V5 ? FakeBroker.Welcome5 : FakeBroker.Welcome311,
            options => options with { Version = version });
        await using var _ = house;
        var publishing = house.PublishAsync("a");
        var publish = await link.ReadAsync();

        var ending = house.Client.DisconnectAsync(sendWill: true);
        var again = house.Client.DisposeAsync().AsTask();
        await link.AcknowledgeAsync(publish);

        await Task.WhenAll(ending, again, publishing).WaitAsync(Patience.Limit);
        if (expected is not null)
            await link.ExpectAsync(expected);
        Assert.Null(await link.TryReadAsync());
    }

    /// <summary>A QoS 0 message that waits for room is the last one: its end ends the draining.</summary>
    [Fact]
    public async Task Drained_LastPublishRefusedAtAttach_IsTold()
    {
        var parts = new ClientParts(Plain, TimeProvider.System);
        var publishing = parts.Outbound.Publish(
            new MqttMessage { Topic = "a"u8.ToArray(), Qos = MqttQos.AtLeastOnce, Retain = true },
            CancellationToken.None).AsTask();
        parts.Outbound.BeginEnd();
        using var queue = new SendQueue(1024, 1024, PooledSendArrays.Instance);
        Assert.Equal(MqttFault.None, ConnAckPacket.Parse(
            Packets.Hex.Of("00 00 02 25 00"), MqttVersion.V5, out var broker));

        parts.Outbound.Attach(queue, broker);

        await parts.Outbound.Drained.WaitAsync().AsTask().WaitAsync(Patience.Limit);
        Assert.Equal(MqttPublishOutcome.RetainNotSupported, (await publishing).Outcome);
    }

    [Fact]
    public async Task Broker_Connected_ShowsItsLimits()
    {
        var house = new ClientHouse(options => options with { KeepAlive = TimeSpan.FromSeconds(9) });
        await using var _ = house;
        house.Client.Start();
        Assert.Null(house.Client.Broker);
        var link = await house.Broker.WelcomeAsync("20 14 00 00 11 21 0014 24 00 27 00000400 25 00 11 0000003C");

        var limits = (await house.StateAsync(MqttClientState.Connected)).Broker!;

        Assert.Equal(limits, house.Client.Broker);
        Assert.Equal(
            (1024, 20, MqttQos.AtMostOnce, false, 9, 60),
            (limits.MaxPacketSizeBytes, limits.ReceiveMaximum, limits.MaximumQos, limits.RetainAvailable,
                (int)limits.KeepAlive.TotalSeconds, (int)limits.SessionExpiry.TotalSeconds));
        link.Abort();
        await house.StateAsync(MqttClientState.Lost);
        Assert.Null(house.Client.Broker);
    }
}
