using Gateway.Mqtt.Messages;
using Gateway.Mqtt.Packets;
using Gateway.Mqtt.States;
using Gateway.Testing;

namespace Gateway.Mqtt.Tests.Clients;

/// <summary>What a publisher can learn and take back.</summary>
public sealed class OutboundStateTests
{
    /// <summary>Receive Maximum 1: one is sent, one has a place, one waits.</summary>
    [Fact]
    public async Task PublishAsync_Cancelled_OnlyWhatWasNotSentIsWithdrawn()
    {
        var (house, link) = await ClientHouse.ConnectedAsync(
            "20 06 00 00 03 21 0001",
            options => options with { Limits = options.Limits with { MaxInFlight = 2 } });
        await using var _ = house;
        using var cancellation = new CancellationTokenSource();
        var publishing = new[] { "1", "2", "3" }
            .Select(payload => PublishAsync(house, payload, cancellation.Token)).ToList();
        await link.ExpectAsync("32 07 0001 'a' 0001 00 '1'");
        Assert.Equal((2, 1), (house.Client.Outbound.InFlight, house.Client.Outbound.Waiting));

        await cancellation.CancelAsync();

        Assert.Equal(MqttPublishOutcome.Withdrawn, (await publishing[1]).Outcome);
        Assert.Equal(MqttPublishOutcome.Withdrawn, (await publishing[2]).Outcome);
        Assert.Equal((1, 0), (house.Client.Outbound.InFlight, house.Client.Outbound.Waiting));
        Assert.Equal(
            MqttPublishOutcome.Withdrawn, (await PublishAsync(house, "4", cancellation.Token)).Outcome);
        var next = PublishAsync(house, "5", CancellationToken.None);
        await link.SendAsync("40 02 0001");
        await link.AcknowledgeAsync(await link.ReadAsync());
        Assert.Equal(MqttPublishOutcome.Acknowledged, (await publishing[0]).Outcome);
        Assert.Equal(MqttPublishOutcome.Acknowledged, (await next).Outcome);
        Assert.Equal(3, house.Client.Counters.Of(MqttPublishOutcome.Withdrawn));
    }

    /// <summary>Sent on a connection that is gone: the broker may have it, so it goes again.</summary>
    [Fact]
    public async Task PublishAsync_CancelledAfterALostConnection_StaysUnderWay()
    {
        var (house, link) = await ClientHouse.ConnectedAsync();
        await using var _ = house;
        using var cancellation = new CancellationTokenSource();
        var publishing = PublishAsync(house, "1", cancellation.Token);
        await link.ReadAsync();
        link.Abort();
        await house.StateAsync(MqttClientState.Lost);

        await cancellation.CancelAsync();
        link = await house.Broker.WelcomeAsync();
        await link.AcknowledgeAsync(await link.ReadAsync());

        Assert.Equal(MqttPublishOutcome.Acknowledged, (await publishing).Outcome);
    }

    [Fact]
    public async Task Outbound_PublishesThatWait_ShowsThemAndTheirAge()
    {
        var time = new ManualTimeProvider();
        var (house, link) = await ClientHouse.ConnectedAsync(
            change: options => options with { Limits = options.Limits with { MaxInFlight = 1 } }, time: time);
        await using var _ = house;
        Assert.Equal(new MqttOutboundGauges(0, 0, 0, 0, TimeSpan.Zero), house.Client.Outbound);

        Task[] publishing = [house.PublishAsync("a", "123"), house.PublishAsync("a")];
        await link.ReadAsync();
        time.Advance(TimeSpan.FromSeconds(7));

        var gauges = house.Client.Outbound;

        // One tick less where the clock began at 0, which means "not".
        Assert.Equal(7, (int)Math.Round(gauges.OldestAge.TotalSeconds));
        Assert.Equal(new MqttOutboundGauges(1, 1, 1, 4, gauges.OldestAge), gauges);
        await link.SendAsync("40 02 0001");
        await publishing[0];
        await link.AcknowledgeAsync(await link.ReadAsync());
        await publishing[1];
        Assert.Equal(new MqttOutboundGauges(0, 0, 0, 0, TimeSpan.Zero), house.Client.Outbound);
    }

    /// <summary>Packets of at most 20 bytes for the broker, of 256 for us. Each end has its counter.</summary>
    [Fact]
    public async Task PublishAsync_RefusedHere_CountedByOutcome()
    {
        var (house, _) = await ClientHouse.ConnectedAsync(
            "20 08 00 00 05 27 00000014",
            options => options with { Limits = options.Limits with { MaxPacketSizeBytes = 256 } });
        await using var __ = house;

        var outcomes = new[]
        {
            await house.PublishAsync("a", new string('x', 20)),
            await house.PublishAsync("a", new string('x', 300)),
            await house.PublishAsync("a/#"),
            await house.PublishAsync("a", qos: (MqttQos)2),
        }.Select(result => result.Outcome).ToList();

        Assert.Equal(
            [
                MqttPublishOutcome.TooLargeForBroker, MqttPublishOutcome.TooLarge, MqttPublishOutcome.TopicInvalid,
                MqttPublishOutcome.QosNotSupported,
            ],
            outcomes);
        Assert.All(outcomes, outcome => Assert.Equal(1, house.Client.Counters.Of(outcome)));
    }

    private static Task<MqttPublishResult> PublishAsync(
        ClientHouse house, string payload, CancellationToken cancellation) =>
        house.Client.PublishAsync(
            new MqttMessage
            {
                Topic = "a"u8.ToArray(),
                Payload = System.Text.Encoding.UTF8.GetBytes(payload),
                Qos = MqttQos.AtLeastOnce,
            },
            cancellation).AsTask().WaitAsync(Patience.Limit, CancellationToken.None);
}
