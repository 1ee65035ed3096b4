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
        var answering = Task.Run(link.AcknowledgeAllAsync);
        var message = new MqttMessage { Topic = "plant/line"u8.ToArray(), Payload = new byte[100], Qos = qos };
        await Task.Run(() => PublishAsync(house.Client, message));

        var least = long.MaxValue;
        for (var attempt = 0; attempt < 5; attempt++)
        {
            var before = GC.GetTotalAllocatedBytes(precise: true);
            await Task.Run(() => PublishAsync(house.Client, message));
            least = Math.Min(least, GC.GetTotalAllocatedBytes(precise: true) - before);
        }

        Assert.InRange(least, 0, Allowance);
        await house.Client.DisconnectAsync();
        await answering;
    }

    /// <summary>More at a time than the window holds, so that some wait for room.</summary>
    private static async Task PublishAsync(MqttClient client, MqttMessage message)
    {
        var pending = new ValueTask<MqttPublishResult>[32];
        for (var sent = 0; sent < Messages; sent += pending.Length)
        {
#pragma warning disable CA2012 // Each is awaited once, below.
            for (var i = 0; i < pending.Length; i++)
                pending[i] = client.PublishAsync(message);
#pragma warning restore CA2012
            foreach (var one in pending)
                Assert.True((await one).IsSuccess);
        }
    }
}
