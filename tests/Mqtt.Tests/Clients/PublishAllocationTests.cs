using Gateway.Mqtt.Messages;
using Gateway.Mqtt.Packets;
using Gateway.Mqtt.Tests.Brokers;

namespace Gateway.Mqtt.Tests.Clients;

/// <summary>Bytes that the whole process allocates for publishes in steady state, with a broker in it that allocates
/// nothing. One test at a time: others would be counted, too. Off the test runner's context, which allocates.</summary>
[Collection(nameof(PublishAllocationTests))]
[CollectionDefinition(nameof(PublishAllocationTests), DisableParallelization = true)]
public sealed class PublishAllocationTests
{
    private const int Messages = 20_000;

    /// <summary>One that could be cancelled, as a publisher's for its end.</summary>
    private static readonly CancellationTokenSource Source = new();

    /// <summary>The runtime's own timers and the sampling of the thread pool: less than a byte a message.</summary>
    private const int Allowance = Messages / 2;

    [Theory]
    [InlineData(MqttQos.AtMostOnce, MqttVersion.V5)]
    [InlineData(MqttQos.AtLeastOnce, MqttVersion.V5)]
    [InlineData(MqttQos.AtLeastOnce, MqttVersion.V311)]
    public async Task PUBLISH_InSteadyState_AllocatesNothing(MqttQos qos, MqttVersion version)
    {
        var (house, link) = await ClientHouse.ConnectedAsync(
            version == MqttVersion.V5 ? "20 06 00 00 03 22 0008" : FakeBroker.Welcome311,
            options => options with
            {
                Version = version,
                Limits = options.Limits with { MaxTopicAliases = 8, MaxInFlight = 16 },
            });
        await using var _ = house;
        var answering = Task.Run(() => link.AcknowledgeAllAsync());

        // More at a time than the window holds, so that some wait for room.
        var least = await LeastAsync(house.Client, new Load(qos, 100, Messages, 32));

        Assert.InRange(least, 0, Allowance);
        await house.Client.DisconnectAsync();
        await answering;
    }

    /// <summary>Many large messages in flight, and PUBACKs that come in bursts.</summary>
    [Theory]
    [InlineData(10 * 1024)]
    [InlineData(16 * 1024)]
    [InlineData(64 * 1024)]
    [InlineData(100 * 1024)]
    public async Task PUBLISH_LargeAndManyInFlight_AllocatesNothing(int payloadBytes)
    {
        var (house, link) = await ClientHouse.ConnectedAsync(change: options => options with
        {
            Limits = options.Limits with { MaxInFlight = 256, MaxInFlightBytes = 64 * 1024 * 1024 },
        });
        await using var _ = house;
        var answering = Task.Run(() => link.AcknowledgeAllAsync(burst: 64));

        var least = await LeastAsync(house.Client, new Load(MqttQos.AtLeastOnce, payloadBytes, 2_048, 512));

        Assert.InRange(least, 0, Allowance);
        await house.Client.DisconnectAsync();
        await answering;
    }

    private sealed record Load(MqttQos Qos, int PayloadBytes, int Messages, int AtOnce);

    /// <summary>The best of five runs, behind one that fills the pools.</summary>
    private static async Task<long> LeastAsync(MqttClient client, Load load)
    {
        var message = new MqttMessage
        {
            Topic = "plant/line"u8.ToArray(),
            Payload = new byte[load.PayloadBytes],
            Qos = load.Qos,
        };
        var pending = new ValueTask<MqttPublishResult>[load.AtOnce];
        await Task.Run(() => PublishAsync(client, message, pending, load.Messages));
        var least = long.MaxValue;
        for (var attempt = 0; attempt < 5; attempt++)
        {
            var before = GC.GetTotalAllocatedBytes(precise: true);
            await Task.Run(() => PublishAsync(client, message, pending, load.Messages));
            least = Math.Min(least, GC.GetTotalAllocatedBytes(precise: true) - before);
        }

        return least;
    }

    private static async Task PublishAsync(
        MqttClient client, MqttMessage message, ValueTask<MqttPublishResult>[] pending, int messages)
    {
        for (var sent = 0; sent < messages; sent += pending.Length)
        {
#pragma warning disable CA2012 // Each is awaited once, below.
            for (var i = 0; i < pending.Length; i++)
                pending[i] = client.PublishAsync(message, Source.Token);
#pragma warning restore CA2012
            foreach (var one in pending)
                Assert.True((await one).IsSuccess);
        }
    }
}
