using System.Text;
using System.Threading.Channels;
using Gateway.Mqtt.Messages;
using Gateway.Mqtt.Packets;
using Gateway.Testing;

namespace Gateway.Mqtt.Tests.Clients;

public sealed class SubscriptionTests
{
    [Fact]
    public async Task PUBLISH_FromTheBroker_HandledThenAcknowledged()
    {
        var (house, link) = await ClientHouse.ConnectedAsync();
        await using var _ = house;
        var release = new TaskCompletionSource();
        var got = Channel.CreateUnbounded<string>();
        await house.SubscribeAsync(link, "a/#", async message =>
        {
            var user = message.ReadUserProperties().Select(pair => $"{pair.Key}={pair.Value}");
            got.Writer.TryWrite(
                $"{Text(message.Topic)} {Text(message.Payload)} {message.ContentType} {string.Join(',', user)}"
                + $" {message.MessageExpiry} {message.IsRetained} {message.Qos}");
            await release.Task;
        });

        await link.SendAsync(
            "33 1F 0003 'a/b' 0007 15 03 0004 'json' 26 0001 'k' 0001 'v' 02 0000003C 0B 01 '{}'");
        Assert.Equal("a/b {} json k=v 00:01:00 True AtLeastOnce", await NextAsync(got));

        // The handler has not ended: this message of ours proves that no PUBACK went before.
        await house.PublishAsync("z", "", MqttQos.AtMostOnce);
        await link.ExpectAsync("30 04 0001 'z' 00");
        release.SetResult();
        await link.ExpectAsync("40 02 0007");
        Assert.Equal(1, house.Client.Counters.Received);
    }

    /// <summary>MQTT 5.0 §3.3.2.3.4, the other way: alias 1 is set, then used.</summary>
    [Fact]
    public async Task PUBLISH_WithTopicAlias_TopicIsFound()
    {
        var (house, link) = await ClientHouse.ConnectedAsync(
            change: options => options with { Limits = options.Limits with { MaxTopicAliases = 1 } });
        await using var _ = house;
        var got = Channel.CreateUnbounded<string>();
        await house.SubscribeAsync(link, "+", message => Take(got, message));

        await link.SendAsync("30 08 0001 'a' 03 23 0001 '1' 30 07 0000 03 23 0001 '2'");

        Assert.Equal("a 1", await NextAsync(got));
        Assert.Equal("a 2", await NextAsync(got));
    }

    [Theory]
    [InlineData(true, "20 03 01 00 00")]
    [InlineData(false, "20 03 00 00 00")]
    public async Task SUBSCRIBE_AfterAReconnect_OnlyWithoutASession(bool isPresent, string connAck)
    {
        var (house, link) = await ClientHouse.ConnectedAsync(
            change: options => options with { SessionExpiry = TimeSpan.FromMinutes(1) });
        await using var _ = house;
        var got = Channel.CreateUnbounded<string>();
        await house.SubscribeAsync(link, "a", message => Take(got, message));
        link.Abort();

        link = await house.Broker.WelcomeAsync(connAck);
        if (!isPresent)
        {
            await link.ExpectAsync("82 0C F001 05 0B BBD2B020 0001 'a' 01");
            await link.SendAsync("90 04 F001 00 01");
        }

        await link.SendAsync("30 05 0001 'a' 00 'x'");
        Assert.Equal("a x", await NextAsync(got));
    }

    [Fact]
    public async Task SUBSCRIBE_Refused_SaysWhy()
    {
        var (house, link) = await ClientHouse.ConnectedAsync();
        await using var _ = house;

        var subscribing = house.Client.SubscribeAsync(new MqttSubscriptionOptions { Filter = "secret" }, _ => default);
        await link.ReadAsync();
        await link.SendAsync("90 04 F000 00 87");

        var subscription = await subscribing.WaitAsync(Patience.Limit);
        Assert.Equal((false, MqttReasonCode.NotAuthorized), (subscription.IsGranted, subscription.Reason));
        Assert.Equal(1, house.Client.Counters.SubscriptionsRefused);
    }

    [Fact]
    public async Task UNSUBSCRIBE_HandlerGetsNothingMore()
    {
        var (house, link) = await ClientHouse.ConnectedAsync();
        await using var _ = house;
        var got = Channel.CreateUnbounded<string>();
        var first = await house.SubscribeAsync(link, "a", message => Take(got, message));
        await house.SubscribeAsync(link, "b", message => Take(got, message));

        var leaving = first.DisposeAsync().AsTask();
        await link.ExpectAsync("A2 06 F002 00 0001 'a'");
        await link.SendAsync("30 05 0001 'a' 00 '1' B0 04 F002 00 00 30 05 0001 'b' 00 '2'");

        await leaving.WaitAsync(Patience.Limit);
        Assert.Equal("b 2", await NextAsync(got));
        Assert.Equal(1, house.Client.Counters.DroppedInbound);
    }

    [Fact]
    public async Task Handler_Throws_CountedAndAcknowledged()
    {
        var (house, link) = await ClientHouse.ConnectedAsync();
        await using var _ = house;
        await house.SubscribeAsync(link, "a", _ => throw new InvalidOperationException());

        await link.SendAsync("32 06 0001 'a' 0007 00");

        await link.ExpectAsync("40 02 0007");
        Assert.Equal(1, house.Client.Counters.HandlerFaults);
    }

    [Fact]
    public async Task Subscriptions_AboveTheLimit_AreRefused()
    {
        await using var house = new ClientHouse(options => options with
        {
            Limits = options.Limits with { MaxSubscriptions = 1 },
        });
        _ = house.Client.SubscribeAsync(new MqttSubscriptionOptions { Filter = "a" }, _ => default);

        await Assert.ThrowsAsync<InvalidOperationException>(
            () => house.Client.SubscribeAsync(new MqttSubscriptionOptions { Filter = "b" }, _ => default));
        await Assert.ThrowsAsync<ArgumentException>(
            () => house.Client.SubscribeAsync(new MqttSubscriptionOptions { Filter = "a#" }, _ => default));
    }

    /// <summary>A handler that does not end, and 1,000 messages of 1,000 bytes: two stay, the others are dropped.
    /// </summary>
    [Fact]
    public async Task PUBLISH_FloodOfQos0_DroppedAndCounted()
    {
        var (house, link) = await ClientHouse.ConnectedAsync(change: options => options with
        {
            Limits = options.Limits with { MaxInboxBytes = 2_500 },
        });
        await using var _ = house;
        var release = new TaskCompletionSource();
        await house.SubscribeAsync(link, "a", async _ => await release.Task);
        byte[] message = [0x30, 0xEB, 0x07, 0, 1, (byte)'a', 0, .. new byte[999]];

        for (var i = 0; i < 1000; i++)
            await link.SendAsync(message);
        // Behind the flood: its PUBACK tells that all of it was read.
        var publishing = house.PublishAsync("b");
        await link.AcknowledgeAsync(await link.ReadAsync());
        await publishing;

        Assert.Equal((1000, 998), (house.Client.Counters.Received, house.Client.Counters.DroppedInbound));
        Assert.Equal(2_000, house.Client.InboxBytes);
        release.SetResult();
    }

    private static string Text(ReadOnlyMemory<byte> bytes) => Encoding.UTF8.GetString(bytes.Span);

    private static ValueTask Take(Channel<string> got, MqttReceived message)
    {
        got.Writer.TryWrite($"{Text(message.Topic)} {Text(message.Payload)}");
        return default;
    }

    private static async Task<string> NextAsync(Channel<string> got) =>
        await got.Reader.ReadAsync().AsTask().WaitAsync(Patience.Limit);
}
