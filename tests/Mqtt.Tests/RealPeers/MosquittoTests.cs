using Gateway.Mqtt.Messages;
using Gateway.Mqtt.Options;
using Gateway.Mqtt.Packets;
using Gateway.Mqtt.States;
using Gateway.Testing;

namespace Gateway.Mqtt.Tests.RealPeers;

/// <summary>mosquitto as the broker, its own clients at the other end.</summary>
public sealed class MosquittoTests
{
    [PeerTheory]
    [InlineData(MqttVersion.V311)]
    [InlineData(MqttVersion.V5)]
    public async Task PUBLISH_BothWays_Arrives(MqttVersion version)
    {
        using var folder = new TestFolder();
        await using var broker = await MosquittoBroker.StartAsync(folder);
        await using var sub = await broker.SubscribeAsync(version, "out/#");
        await using var client = await PeerClient.ConnectedAsync(broker.Options(version));
        Assert.True((await client.SubscribeAsync("in/+")).IsGranted);

        Assert.True((await client.PublishAsync("out/0", "zero", MqttQos.AtMostOnce)).IsSuccess);
        Assert.Equal(">out/0 0 0 zero", await sub.LineAsync(">"));
        Assert.Equal(MqttPublishOutcome.Acknowledged, (await client.PublishAsync("out/1", "one")).Outcome);
        Assert.Equal(">out/1 1 0 one", await sub.LineAsync(">"));
        await broker.PublishAsync(version, "in/a", "hello");
        Assert.Equal("in/a hello", await client.MessageAsync());
    }

    /// <summary>To nobody: mosquitto says so in 5.0 only.</summary>
    [PeerTheory]
    [InlineData(MqttVersion.V311, MqttReasonCode.Success)]
    [InlineData(MqttVersion.V5, MqttReasonCode.NoMatchingSubscribers)]
    public async Task PUBLISH_WithoutSubscribers_SaysSo(MqttVersion version, MqttReasonCode reason)
    {
        using var folder = new TestFolder();
        await using var broker = await MosquittoBroker.StartAsync(folder);
        await using var client = await PeerClient.ConnectedAsync(broker.Options(version));

        var result = await client.PublishAsync("nobody", "x");

        Assert.Equal(new MqttPublishResult(MqttPublishOutcome.Acknowledged, reason), result);
    }

    [PeerTheory]
    [InlineData(MqttVersion.V311)]
    [InlineData(MqttVersion.V5)]
    public async Task RETAIN_BothWays_IsKept(MqttVersion version)
    {
        using var folder = new TestFolder();
        await using var broker = await MosquittoBroker.StartAsync(folder);
        await using var client = await PeerClient.ConnectedAsync(broker.Options(version));
        await client.PublishAsync("kept/ours", "1", retain: true);
        await broker.PublishAsync(version, "kept/theirs", "2", "-r");

        await client.SubscribeAsync("kept/theirs");
        await using var sub = new PeerProcess(
            "mosquitto_sub", "-h", "127.0.0.1", "-p", $"{broker.Port}", "-t", "kept/ours", "-F", ">%r %p");

        Assert.Equal("kept/theirs 2 retained", await client.MessageAsync());
        Assert.Equal(">1 1", await sub.LineAsync(">"));
    }

    [PeerTheory]
    [InlineData(MqttVersion.V311)]
    [InlineData(MqttVersion.V5)]
    public async Task Password_RightAndWrong_AcceptedAndRefused(MqttVersion version)
    {
        using var folder = new TestFolder();
        await PeerProcess.RunAsync("mosquitto_passwd", "-c", "-b", folder["users"], "anna", "secret");
        await using var broker = await MosquittoBroker.StartAsync(
            folder, "allow_anonymous false", $"password_file {folder["users"]}");
        var options = broker.Options(version) with { UserName = "anna", Password = "secret" };

        await using var right = await PeerClient.ConnectedAsync(options);
        Assert.True((await right.PublishAsync("a", "x")).IsSuccess);
        await using var wrong = new PeerClient(options with { ClientId = "wrong", Password = "guess" });
        wrong.Client.Start();
        var refused = await wrong.StateAsync(MqttClientState.Refused);

        Assert.Equal(MqttFault.Refused, refused.Fault);
        Assert.Contains(refused.Reason, new[] { MqttReasonCode.NotAuthorized, MqttReasonCode.BadUserNameOrPassword });
    }

    /// <summary>Another client takes the identifier over: the broker ends the first and publishes its Will.</summary>
    [PeerTheory]
    [InlineData(MqttVersion.V311)]
    [InlineData(MqttVersion.V5)]
    public async Task Will_ClientVanishes_PublishedAndAfterDisconnectNot(MqttVersion version)
    {
        using var folder = new TestFolder();
        await using var broker = await MosquittoBroker.StartAsync(folder);
        await using var sub = await broker.SubscribeAsync(version, "will/#");
        var options = broker.Options(version) with
        {
            Will = new MqttWill { Topic = "will/a", Payload = "gone"u8.ToArray(), Qos = MqttQos.AtLeastOnce },
        };
        await using (var orderly = await PeerClient.ConnectedAsync(options with { ClientId = "orderly" }))
            Assert.True((await orderly.PublishAsync("will/b", "here")).IsSuccess);
        Assert.Equal(">will/b 1 0 here", await sub.LineAsync(">"));

        var slow = options.Limits with
        {
            ReconnectDelay = Patience.Limit,
            LongestReconnectDelay = Patience.Limit,
        };
        await using var first = await PeerClient.ConnectedAsync(options with { Limits = slow });
        await using var second = await PeerClient.ConnectedAsync(options with { Limits = slow });

        // An orderly end that had published its Will would show it first.
        Assert.Equal(">will/a 1 0 gone", await sub.LineAsync(">"));
        var lost = await first.StateAsync(MqttClientState.Lost);

        // Older ones just close; newer ones say why in 5.0.
        Assert.Contains(lost.Fault, new[] { MqttFault.ClosedByBroker, MqttFault.DisconnectedByBroker });
    }

    [PeerTheory]
    [InlineData(0)]
    [InlineData(1)]
    public async Task Will_AskedForAtTheEnd_PublishedWithItsProperties(int delaySeconds)
    {
        using var folder = new TestFolder();
        await using var broker = await MosquittoBroker.StartAsync(folder);
        await using var watcher = await PeerClient.ConnectedAsync(broker.Options(MqttVersion.V5, "watcher"));
        await watcher.SubscribeAsync("status");
        var client = await PeerClient.ConnectedAsync(broker.Options(MqttVersion.V5) with
        {
            SessionExpiry = TimeSpan.FromMinutes(1),
            Will = new MqttWill
            {
                Topic = "status",
                Payload = "{}"u8.ToArray(),
                Delay = TimeSpan.FromSeconds(delaySeconds),
                Properties = new MqttPublishProperties("application/json", userProperties: [new("k", "v")]),
            },
        });

        await client.Client.DisconnectAsync(sendWill: true);

        Assert.Equal("status {} application/json k=v", await watcher.MessageAsync());
    }

    /// <summary>A second life of the client: the broker kept subscription and messages. The subscription is made before
    /// the connection, so that nothing that was kept is missed.</summary>
    [PeerTheory]
    [InlineData(MqttVersion.V311)]
    [InlineData(MqttVersion.V5)]
    public async Task Session_Kept_BringsMissedMessages(MqttVersion version)
    {
        using var folder = new TestFolder();
        await using var broker = await MosquittoBroker.StartAsync(folder);
        var options = broker.Options(version) with { SessionExpiry = TimeSpan.FromMinutes(5) };
        await using (var first = await PeerClient.ConnectedAsync(options))
            await first.SubscribeAsync("a");
        await broker.PublishAsync(version, "a", "missed");

        await using var second = new PeerClient(options);
        var subscribing = second.SubscribeAsync("a");
        second.Client.Start();

        Assert.True((await second.StateAsync(MqttClientState.Connected)).SessionPresent);
        Assert.Equal("a missed", await second.MessageAsync());
        Assert.True((await subscribing).IsGranted);
    }

    [PeerTheory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Session_CleanStartOrExpired_IsNew(bool cleanStart)
    {
        using var folder = new TestFolder();
        await using var broker = await MosquittoBroker.StartAsync(folder);
        var options = broker.Options(MqttVersion.V5) with
        {
            SessionExpiry = cleanStart ? TimeSpan.FromMinutes(5) : TimeSpan.Zero,
            CleanStart = cleanStart,
        };
        await using (var first = await PeerClient.ConnectedAsync(options))
            await first.SubscribeAsync("a");

        await using var second = new PeerClient(options);
        second.Client.Start();

        Assert.False((await second.StateAsync(MqttClientState.Connected)).SessionPresent);
    }

    /// <summary>Limits of the broker: packets of at most 200 bytes, four messages in flight, two aliases, QoS 0 only or
    /// no retained messages.</summary>
    [PeerTheory]
    [InlineData("max_packet_size 200", MqttPublishOutcome.TooLargeForBroker)]
    [InlineData("max_qos 0", MqttPublishOutcome.QosNotSupported)]
    [InlineData("retain_available false", MqttPublishOutcome.RetainNotSupported)]
    [InlineData("max_inflight_messages 4", MqttPublishOutcome.Acknowledged)]
    [InlineData("max_topic_alias 2", MqttPublishOutcome.Acknowledged)]
    public async Task Limits_OfTheBroker_AreKept(string line, MqttPublishOutcome outcome)
    {
        using var folder = new TestFolder();
        await using var broker = await MosquittoBroker.StartAsync(folder, line);
        var options = broker.Options(MqttVersion.V5);
        await using var client = await PeerClient.ConnectedAsync(
            options with { Limits = options.Limits with { MaxTopicAliases = 16 } });

        var payload = new string('x', 250);
        var results = await Task.WhenAll(
            Enumerable.Range(0, 200).Select(i => client.PublishAsync($"t/{i % 5}", payload, retain: true)));

        Assert.All(results, result => Assert.Equal(outcome, result.Outcome));
        Assert.Equal(MqttClientState.Connected, client.Client.State);
    }

    /// <summary>Our limits: the broker holds back messages above the packet size and the receive maximum.</summary>
    [PeerTheory]
    [InlineData(MqttVersion.V5)]
    public async Task Limits_OfOurs_TheBrokerKeepsThem(MqttVersion version)
    {
        using var folder = new TestFolder();
        await using var broker = await MosquittoBroker.StartAsync(folder);
        var options = broker.Options(version);
        await using var client = await PeerClient.ConnectedAsync(options with
        {
            Limits = options.Limits with { MaxPacketSizeBytes = 300, ReceiveMaximum = 2 },
        });
        await client.SubscribeAsync("in");

        await broker.PublishAsync(version, "in", new string('x', 400));
        for (var i = 0; i < 6; i++)
            await broker.PublishAsync(version, "in", $"{i}");

        for (var i = 0; i < 6; i++)
            Assert.Equal($"in {i}", await client.MessageAsync());
        Assert.Equal(MqttClientState.Connected, client.Client.State);
    }

    /// <summary>Killed with publishes under way, and started again: each of them ends with a PUBACK.</summary>
    [PeerTheory]
    [InlineData(MqttVersion.V311)]
    [InlineData(MqttVersion.V5)]
    public async Task Broker_KilledInMidFlow_AllPublishesEnd(MqttVersion version)
    {
        using var folder = new TestFolder();
        await using var broker = await MosquittoBroker.StartAsync(folder);
        await using var client = await PeerClient.ConnectedAsync(
            broker.Options(version) with { SessionExpiry = TimeSpan.FromMinutes(5) });
        var publishing = PublishManyAsync(client, 5_000);

        await client.PublishAsync("first", "x");
        await broker.KillAsync();
        await client.StateAsync(MqttClientState.Lost);
        await broker.RestartAsync();

        Assert.Equal(5_000, await publishing.WaitAsync(Patience.Limit));
        Assert.Equal(0, client.Client.InFlight);
        Assert.InRange(client.Client.Counters.Connections, 2, 2);
    }

    /// <summary>Frozen (SIGSTOP): its sockets stay open. The deadline ends the connection, and after SIGCONT each
    /// publish ends with a PUBACK.</summary>
    [PeerTheory]
    [InlineData(MqttVersion.V311, true)]
    [InlineData(MqttVersion.V5, true)]
    [InlineData(MqttVersion.V5, false)]
    public async Task Broker_FrozenInMidFlow_DeadlineThenAllPublishesEnd(MqttVersion version, bool publishes)
    {
        using var folder = new TestFolder();
        await using var broker = await MosquittoBroker.StartAsync(folder);
        var options = broker.Options(version);
        var second = TimeSpan.FromSeconds(1);
        await using var client = await PeerClient.ConnectedAsync(options with
        {
            KeepAlive = second * 2,
            SessionExpiry = TimeSpan.FromMinutes(5),
            Limits = options.Limits with
            {
                AckDeadline = publishes ? second : Patience.Limit,
                PingDeadline = publishes ? Patience.Limit : second,
            },
        });

        broker.Process.Freeze();
        var publishing = PublishManyAsync(client, publishes ? 1_000 : 0);
        var lost = await client.StateAsync(MqttClientState.Lost);
        broker.Process.Thaw();

        Assert.Equal(publishes ? MqttFault.AckTimeout : MqttFault.PingTimeout, lost.Fault);
        await client.StateAsync(MqttClientState.Connected);
        Assert.Equal(publishes ? 1_000 : 0, await publishing.WaitAsync(Patience.Limit));
    }

    /// <summary>The number of those that were acknowledged; at most 100 under way.</summary>
    private static async Task<int> PublishManyAsync(PeerClient client, int count)
    {
        var acknowledged = 0;
        var message = new MqttMessage
        {
            Topic = "flow"u8.ToArray(),
            Payload = new byte[100],
            Qos = MqttQos.AtLeastOnce,
        };
        await Parallel.ForEachAsync(
            Enumerable.Range(0, count),
            new ParallelOptions { MaxDegreeOfParallelism = 100 },
            async (_, _) =>
            {
                var result = await client.Client.PublishAsync(message, CancellationToken.None);
                if (result.Outcome == MqttPublishOutcome.Acknowledged)
                    Interlocked.Increment(ref acknowledged);
            });
        return acknowledged;
    }
}
