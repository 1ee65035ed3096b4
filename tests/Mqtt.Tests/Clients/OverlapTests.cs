using System.Threading.Channels;
using Gateway.Mqtt.Messages;
using Gateway.Mqtt.Packets;
using Gateway.Mqtt.States;
using Gateway.Mqtt.Tests.Brokers;
using Gateway.Testing;

namespace Gateway.Mqtt.Tests.Clients;

/// <summary>Several subscriptions for one message, and subscriptions that a broker cannot bear.</summary>
public sealed class OverlapTests
{
    /// <summary>Of "a/#" and "a/b", as on the wire: they follow from the filters.</summary>
    private const string All = "FE9EB84C";
    private const string One = "C5EBB954";

    private readonly Channel<string> _got = Channel.CreateUnbounded<string>();

    /// <summary>MQTT 5.0 §3.3.4: one copy with both identifiers, a copy for each, one without, and one with
    /// identifiers that no subscription has.</summary>
    [Theory]
    [InlineData("0B " + All + " 0B " + One, "all one")]
    [InlineData("0B " + One + " 0B " + All, "all one")]
    [InlineData("0B " + One, "one")]
    [InlineData("0B " + All, "all")]
    [InlineData("", "all one")]
    [InlineData("0B 01", "all one")]
    [InlineData("0B 02", "all one")]
    public async Task PUBLISH_TwoFiltersTakeIt_EachHandlerThatIsMeantGetsIt(string properties, string handlers)
    {
        var (house, link) = await ClientHouse.ConnectedAsync();
        await using var _ = house;
        await house.SubscribeAsync(link, "a/#", Take("all"));
        await house.SubscribeAsync(link, "a/b", Take("one"));
        await house.SubscribeAsync(link, "end", Take("end"));
        var length = Packets.Hex.Of(properties).Length;

        await link.SendAsync($"32 {8 + length:X2} 0003 'a/b' 0007 {length:X2} {properties}");
        await link.ExpectAsync("40 02 0007");
        await link.SendAsync("30 06 0003 'end' 00");

        foreach (var handler in handlers.Split(' '))
            Assert.Equal(handler, await NextAsync());
        Assert.Equal("end", await NextAsync());
        Assert.Equal(0, house.Client.Counters.DroppedInbound);
    }

    /// <summary>What the broker stored for an earlier process comes directly behind CONNACK.</summary>
    [Fact]
    public async Task PUBLISH_StoredForAnEarlierProcess_FindsItsHandler()
    {
        await using var house = new ClientHouse(
            options => options with { SessionExpiry = TimeSpan.FromMinutes(1) });
        _ = house.Client.SubscribeAsync(new MqttSubscriptionOptions { Filter = "other" }, Take("other"));
        _ = house.Client.SubscribeAsync(new MqttSubscriptionOptions { Filter = "a/b" }, Take("one"));
        house.Client.Start();
        var link = await house.Broker.AcceptAsync();
        await link.ReadAsync();

        await link.SendAsync("20 03 01 00 00 32 0A 0003 'a/b' 0007 02 0B 01");

        Assert.Equal("one", await NextAsync());
    }

    [Fact]
    public async Task Subscribe_SameFilterTwice_SecondIsRefused()
    {
        var (house, link) = await ClientHouse.ConnectedAsync();
        await using var _ = house;
        await house.SubscribeAsync(link, "a/b", Take("one"));

        await Assert.ThrowsAsync<ArgumentException>(() => house.Client.SubscribeAsync(
            new MqttSubscriptionOptions { Filter = "a/b" }, Take("two")).WaitAsync(Patience.Limit));
    }

    /// <summary>The first SUBACK is still under way when it is disposed: its UNSUBSCRIBE goes before the SUBSCRIBE of
    /// the next one with the same filter.</summary>
    [Fact]
    public async Task Subscribe_SameFilterWhileLeaving_WaitsForTheUnsuback()
    {
        var (house, link) = await ClientHouse.ConnectedAsync(FakeBroker.Welcome311, options => options with
        {
            Version = MqttVersion.V311,
        });
        await using var _ = house;
        var first = house.Client.Subscribe(new MqttSubscriptionOptions { Filter = "a" }, Take("first"));
        await link.ExpectAsync("82 06 F000 0001 'a' 01");
        var leaving = first.UnsubscribeAsync();
        var second = house.Client.Subscribe(new MqttSubscriptionOptions { Filter = "a" }, Take("second"));

        await link.SendAsync("90 03 F000 01");
        await link.ExpectAsync("A2 05 F001 0001 'a'");
        await link.SendAsync("B0 02 F001");
        await leaving.WaitAsync(Patience.Limit);
        await link.ExpectAsync("82 06 F002 0001 'a' 01");
        await link.SendAsync("90 03 F002 01 30 03 0001 'a'");

        Assert.Equal(MqttReasonCode.GrantedQos1, await second.Granted.WaitAsync(Patience.Limit));
        Assert.Equal("second", await NextAsync());
    }

    /// <summary>CONNACK: no wildcards, no shared subscriptions, packets of at most 32 bytes.</summary>
    [Theory]
    [InlineData("a/#", MqttReasonCode.WildcardSubscriptionsNotSupported)]
    [InlineData("$share/g/a", MqttReasonCode.SharedSubscriptionsNotSupported)]
    [InlineData("a-filter-that-is-longer-than-the-packet", MqttReasonCode.PacketTooLarge)]
    public async Task Subscribe_BrokerCannotBearIt_RefusedHereAndTheConnectionStays(
        string filter, MqttReasonCode reason)
    {
        var (house, link) = await ClientHouse.ConnectedAsync("20 0C 00 00 09 28 00 2A 00 27 00000020");
        await using var _ = house;

        var subscription = await house.Client.SubscribeAsync(
            new MqttSubscriptionOptions { Filter = filter }, Take("")).WaitAsync(Patience.Limit);

        Assert.Equal((false, reason), (subscription.IsGranted, subscription.Reason));
        await house.SubscribeAsync(link, "b", Take("b"));
        Assert.Equal(MqttClientState.Connected, house.Client.State);
    }

    [Theory]
    [InlineData("$share/g")]
    [InlineData("$share/g/")]
    [InlineData("$share//a")]
    [InlineData("$share/+/a")]
    [InlineData("$share/g/$share/h/a")]
    public async Task Subscribe_ShareName_IsChecked(string filter)
    {
        await using var house = new ClientHouse();
        house.Client.Start();

        await Assert.ThrowsAsync<ArgumentException>(() => Subscribe(new MqttSubscriptionOptions { Filter = filter }));
        await Assert.ThrowsAsync<ArgumentException>(
            () => Subscribe(new MqttSubscriptionOptions { Filter = "$share/g/a", NoLocal = true }));
        Task Subscribe(MqttSubscriptionOptions options) =>
            house.Client.SubscribeAsync(options, Take("")).WaitAsync(Patience.Limit);
    }

    /// <summary>The broker closes at one SUBSCRIBE: it is given up, and no other and no publish is.</summary>
    [Fact]
    public async Task SUBSCRIBE_BrokerClosesAtIt_GivenUpAndOthersGo()
    {
        await using var house = new ClientHouse(options => options with { Version = MqttVersion.V311 });
        var good = house.Client.Subscribe(new MqttSubscriptionOptions { Filter = "good" }, Take(""));
        var poison = house.Client.Subscribe(new MqttSubscriptionOptions { Filter = "poison" }, Take(""));
        var publishing = house.PublishAsync("c");
        house.Client.Start();

        for (var connection = 1; !publishing.IsCompleted || !good.IsGranted || poison.Reason is null; connection++)
        {
            Assert.InRange(connection, 1, 30);
            var link = await house.Broker.WelcomeAsync(FakeBroker.Welcome311);
            while (await link.TryReadAsync() is { } packet && !packet.Body.AsSpan().EndsWith("poison\u0001"u8))
            {
                if (packet.First == 0x82)
                    await link.SendAsync([0x90, 3, packet.Body[0], packet.Body[1], 1]);
                else
                    await link.AcknowledgeAsync(packet);
                if (packet.First == 0x32)
                {
                    // It goes only where no suspect is asked for.
                    await Task.WhenAll(publishing, good.Granted).WaitAsync(Patience.Limit);
                    break;
                }
            }

            if (poison.Reason is null)
                link.Abort();
        }

        Assert.Equal((true, false), (good.IsGranted, poison.IsGranted));
        Assert.True((await publishing).IsSuccess);
        Assert.Equal(1, house.Client.Counters.SubscriptionsRefused);
    }

    [Fact]
    public async Task SubscribeAsync_Cancelled_TakesItBack()
    {
        await using var house = new ClientHouse();
        using var cancellation = new CancellationTokenSource();
        var subscribing = house.Client.SubscribeAsync(
            new MqttSubscriptionOptions { Filter = "a" }, Take(""), cancellation.Token);

        await cancellation.CancelAsync();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => subscribing.WaitAsync(Patience.Limit));
        var again = house.Client.Subscribe(new MqttSubscriptionOptions { Filter = "a" }, Take(""));
        await again.DisposeAsync().AsTask().WaitAsync(Patience.Limit);
        Assert.True(again.Granted.IsCompleted);
    }

    private MqttMessageHandler Take(string name) => message =>
    {
        _got.Writer.TryWrite(name);
        return default;
    };

    private async Task<string> NextAsync() => await _got.Reader.ReadAsync().AsTask().WaitAsync(Patience.Limit);
}
