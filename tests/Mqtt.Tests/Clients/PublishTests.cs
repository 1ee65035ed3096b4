using Gateway.Mqtt.Messages;
using Gateway.Mqtt.Options;
using Gateway.Mqtt.Packets;
using Gateway.Mqtt.States;
using Gateway.Mqtt.Tests.Brokers;
using Gateway.Testing;

namespace Gateway.Mqtt.Tests.Clients;

public sealed class PublishTests
{
    [Theory]
    [InlineData("40 02 0001", MqttPublishOutcome.Acknowledged, MqttReasonCode.Success)]
    [InlineData("40 03 0001 10", MqttPublishOutcome.Acknowledged, MqttReasonCode.NoMatchingSubscribers)]
    [InlineData("40 03 0001 97", MqttPublishOutcome.Refused, MqttReasonCode.QuotaExceeded)]
    public async Task PUBLISH_Qos1_EndsWithThePubAck(string pubAck, MqttPublishOutcome outcome, MqttReasonCode reason)
    {
        var (house, link) = await ClientHouse.ConnectedAsync();
        await using var _ = house;

        var publishing = house.PublishAsync("a/b", "42");
        await link.ExpectAsync("32 0A 0003 'a/b' 0001 00 '42'");
        Assert.Equal(1, house.Client.InFlight);
        await link.SendAsync(pubAck);

        Assert.Equal(new MqttPublishResult(outcome, reason), await publishing);
        Assert.Equal(0, house.Client.InFlight);
        var counters = house.Client.Counters;
        Assert.Equal(
            outcome == MqttPublishOutcome.Acknowledged ? (1, 0) : (0, 1), (counters.Acknowledged, counters.Rejected));
        Assert.Equal(1, counters.Published);
    }

    [Fact]
    public async Task PUBLISH_Qos0_EndsWhenQueued()
    {
        var (house, link) = await ClientHouse.ConnectedAsync(FakeBroker.Welcome311, InV311);
        await using var _ = house;

        var result = await house.PublishAsync("a/b", "42", MqttQos.AtMostOnce, retain: true);

        Assert.Equal(MqttPublishOutcome.Sent, result.Outcome);
        await link.ExpectAsync("31 07 0003 'a/b' '42'");
    }

    /// <summary>MQTT 5.0 §4.4: same packet identifiers, same order, DUP, before anything new.</summary>
    [Fact]
    public async Task PUBLISH_ConnectionLost_SentAgainWithDup()
    {
        var (house, link) = await ClientHouse.ConnectedAsync(change: WithSession);
        await using var _ = house;
        Task<MqttPublishResult>[] publishing = [house.PublishAsync("a", "1"), house.PublishAsync("a", "2")];
        await link.ExpectAsync("32 07 0001 'a' 0001 00 '1'");
        await link.ExpectAsync("32 07 0001 'a' 0002 00 '2'");
        link.Abort();
        await house.StateAsync(MqttClientState.Lost);
        publishing = [.. publishing, house.PublishAsync("a", "3")];

        link = await house.Broker.WelcomeAsync("20 03 01 00 00");
        await link.ExpectAsync("3A 07 0001 'a' 0001 00 '1'");
        await link.ExpectAsync("3A 07 0001 'a' 0002 00 '2'");
        await link.ExpectAsync("32 07 0001 'a' 0003 00 '3'");
        await link.SendAsync("40 02 0001 40 02 0002 40 02 0003");

        Assert.All(await Task.WhenAll(publishing), result => Assert.True(result.IsSuccess));
        Assert.Equal((3, 2), (house.Client.Counters.Published, house.Client.Counters.Resent));
        Assert.True((await house.StateAsync(MqttClientState.Connected)).SessionPresent);
    }

    /// <summary>The broker has forgotten the session: for it these are new messages.</summary>
    [Fact]
    public async Task PUBLISH_SessionLost_SentAgainWithoutDup()
    {
        var (house, link) = await ClientHouse.ConnectedAsync(change: WithSession);
        await using var _ = house;
        var publishing = house.PublishAsync("a", "1");
        await link.ReadAsync();
        link.Abort();

        link = await house.Broker.WelcomeAsync();
        await link.ExpectAsync("32 07 0001 'a' 0001 00 '1'");
        await link.SendAsync("40 02 0001");

        Assert.True((await publishing).IsSuccess);
        Assert.Equal(1, house.Client.Counters.Resent);
    }

    /// <summary>MQTT 5.0 §4.9: never more than the broker's Receive Maximum without PUBACK.</summary>
    [Fact]
    public async Task PUBLISH_ReceiveMaximumReached_WaitsForAPubAck()
    {
        var (house, link) = await ClientHouse.ConnectedAsync("20 06 00 00 03 21 0002");
        await using var _ = house;
        var publishing = Enumerable.Range(1, 3).Select(i => house.PublishAsync("a", $"{i}")).ToList();
        await link.ExpectAsync("32 07 0001 'a' 0001 00 '1'");
        await link.ExpectAsync("32 07 0001 'a' 0002 00 '2'");

        // A third PUBLISH would stand before this one, which needs no PUBACK.
        Assert.True((await house.PublishAsync("b", "", MqttQos.AtMostOnce)).IsSuccess);
        await link.ExpectAsync("30 04 0001 'b' 00");
        await link.SendAsync("40 02 0001");
        await link.ExpectAsync("32 07 0001 'a' 0003 00 '3'");
        await link.SendAsync("40 02 0003 40 02 0002");

        Assert.All(await Task.WhenAll(publishing), result => Assert.True(result.IsSuccess));
    }

    /// <summary>Receive Maximum 1, packets of at most 20 bytes, Maximum QoS 0, no retained messages.</summary>
    [Fact]
    public async Task PUBLISH_AgainstTheBrokersLimits_EndsAtOnce()
    {
        var (house, link) = await ClientHouse.ConnectedAsync("20 0C 00 00 09 27 00000014 24 00 25 00");
        await using var _ = house;

        var outcomes = new[]
        {
            await house.PublishAsync("a", new string('x', 20), MqttQos.AtMostOnce),
            await house.PublishAsync("a"),
            await house.PublishAsync("a", qos: MqttQos.AtMostOnce, retain: true),
            await house.PublishAsync("a/#", qos: MqttQos.AtMostOnce),
        }.Select(result => result.Outcome);

        Assert.Equal(
            [
                MqttPublishOutcome.TooLargeForBroker, MqttPublishOutcome.QosNotSupported,
                MqttPublishOutcome.RetainNotSupported, MqttPublishOutcome.TopicInvalid,
            ],
            outcomes);
        Assert.True((await house.PublishAsync("a", qos: MqttQos.AtMostOnce)).IsSuccess);
        await link.ExpectAsync("30 05 0001 'a' 00 'x'");
    }

    [Fact]
    public async Task PUBLISH_NotConnected_Qos0DroppedQos1KeptUntilFull()
    {
        await using var house = new ClientHouse(options => options with
        {
            Limits = options.Limits with { MaxInFlight = 1, MaxWaitingPublishes = 1 },
        });

        var dropped = await house.PublishAsync("a", qos: MqttQos.AtMostOnce);
        Task<MqttPublishResult>[] kept = [house.PublishAsync("a", "1"), house.PublishAsync("a", "2")];
        var above = await house.PublishAsync("a", "3");

        Assert.Equal(
            (MqttPublishOutcome.NotConnected, MqttPublishOutcome.QueueFull), (dropped.Outcome, above.Outcome));
        Assert.Equal(2, house.Client.Counters.Dropped);
        house.Client.Start();
        var link = await house.Broker.WelcomeAsync();
        await link.AcknowledgeAsync(await link.ReadAsync());
        await link.AcknowledgeAsync(await link.ReadAsync());
        Assert.All(await Task.WhenAll(kept), result => Assert.True(result.IsSuccess));
    }

    /// <summary>MQTT 5.0 §3.3.2.3.4: the topic goes once; a new connection knows no alias.</summary>
    [Fact]
    public async Task PUBLISH_TopicAliases_TopicGoesOnceForEachConnection()
    {
        var (house, link) = await ClientHouse.ConnectedAsync(
            "20 06 00 00 03 22 0001",
            options => options with { Limits = options.Limits with { MaxTopicAliases = 8 } });
        await using var _ = house;

        foreach (var topic in new[] { "a", "a", "b" })
            Assert.True((await house.PublishAsync(topic, qos: MqttQos.AtMostOnce)).IsSuccess);
        await link.ExpectAsync("30 08 0001 'a' 03 23 0001 'x'");
        await link.ExpectAsync("30 07 0000 03 23 0001 'x'");
        await link.ExpectAsync("30 05 0001 'b' 00 'x'");
        link.Abort();
        link = await house.Broker.WelcomeAsync("20 06 00 00 03 22 0001");
        await house.StateAsync(MqttClientState.Connected);
        Assert.True((await house.PublishAsync("a", qos: MqttQos.AtMostOnce)).IsSuccess);
        await link.ExpectAsync("30 08 0001 'a' 03 23 0001 'x'");
    }

    [Fact]
    public async Task PUBLISH_WithProperties_CarriesThem()
    {
        var (house, link) = await ClientHouse.ConnectedAsync();
        await using var _ = house;
        var properties = new MqttPublishProperties(
            contentType: "json", messageExpiry: TimeSpan.FromSeconds(5), userProperties: [new("k", "v")]);

        var message = new MqttMessage { Topic = "a"u8.ToArray(), Properties = properties };
        var result = await house.Client.PublishAsync(message);

        Assert.True(result.IsSuccess);
        await link.ExpectAsync("30 17 0001 'a' 13 02 00000005 03 0004 'json' 26 0001 'k' 0001 'v'");
    }

    [Fact]
    public async Task PUBLISH_ClientEnded_EndsAsClosed()
    {
        var (house, link) = await ClientHouse.ConnectedAsync(
            change: options => options with
            {
                Limits = options.Limits with { DrainDeadline = TimeSpan.FromSeconds(2) },
            });
        await using var _ = house;
        var publishing = house.PublishAsync("a");
        await link.ReadAsync();

        await house.Client.DisconnectAsync().WaitAsync(Patience.Limit);

        Assert.Equal(MqttPublishOutcome.Closed, (await publishing).Outcome);
        Assert.Equal(MqttPublishOutcome.Closed, (await house.PublishAsync("a")).Outcome);
        await link.ExpectAsync("E0 00");
        Assert.Null(await link.TryReadAsync());
    }

    private static MqttClientOptions InV311(MqttClientOptions options) => options with { Version = MqttVersion.V311 };

    private static MqttClientOptions WithSession(MqttClientOptions options) =>
        options with { SessionExpiry = TimeSpan.FromMinutes(1) };
}
