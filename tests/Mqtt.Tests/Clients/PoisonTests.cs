using Gateway.Mqtt.Messages;
using Gateway.Mqtt.Packets;
using Gateway.Mqtt.Tests.Brokers;
using Gateway.Testing;

namespace Gateway.Mqtt.Tests.Clients;

/// <summary>A message that the broker answers by ending the connection: 3.1.1 has no other refusal.</summary>
public sealed class PoisonTests
{
    /// <summary>More than any way out needs.</summary>
    private const int MostConnections = 40;

    [Theory]
    [InlineData(MqttVersion.V5)]
    [InlineData(MqttVersion.V311)]
    public async Task PUBLISH_BrokerClosesAtIt_GivenUpAndTheNextOnesGo(MqttVersion version)
    {
        await using var house = new ClientHouse(options => options with
        {
            Version = version,
            SessionExpiry = TimeSpan.FromMinutes(1),
        });
        Task<MqttPublishResult>[] good = [house.PublishAsync("good", "1"), house.PublishAsync("good", "2")];
        var poison = house.PublishAsync("poison");
        good = [.. good, house.PublishAsync("good", "3"), house.PublishAsync("good", "4")];
        house.Client.Start();

        var connections = await ServeAsync(house.Broker, version, Task.WhenAll(good));

        Assert.All(await Task.WhenAll(good), result => Assert.Equal(MqttPublishOutcome.Acknowledged, result.Outcome));
        Assert.InRange(connections, 2, MostConnections);
        Assert.False((await poison).IsSuccess);
    }

    /// <summary>The number of connections that it took until the task ended.</summary>
    private static async Task<int> ServeAsync(FakeBroker broker, MqttVersion version, Task until)
    {
        for (var connection = 1; connection <= MostConnections; connection++)
        {
            var link = await broker.WelcomeAsync(
                version == MqttVersion.V5 ? FakeBroker.Welcome5 : FakeBroker.Welcome311);
            while (await link.TryReadAsync() is { } packet && !IsPoison(packet))
            {
                await link.AcknowledgeAsync(packet);
                if (packet.Body.AsSpan().EndsWith("4"u8))
                {
                    await until.WaitAsync(Patience.Limit);
                    return connection;
                }
            }

            link.Abort();
        }

        throw new InvalidOperationException("The poison still stands in front.");
    }

    private static bool IsPoison(ScriptPacket packet) => packet.Body.AsSpan(2).StartsWith("poison"u8);
}
