using System.Globalization;
using System.Security.Cryptography;
using System.Text.Json;
using Gateway.Interop.Scripts;
using Xunit.Abstractions;

namespace Gateway.Interop.PubSub;

/// <summary>kill −9 of the gateway again and again, the broker ended or frozen in every other round: mqtt.js checks
/// each counter. GATEWAY_KILLS=50 in the environment makes fifty rounds of it.</summary>
public sealed class KillLoopTests(ITestOutputHelper output)
{
    private const int FewKills = 5;
    private const int MostMessages = 30;

    private static int Kills =>
        int.TryParse(
            Environment.GetEnvironmentVariable("GATEWAY_KILLS"), CultureInfo.InvariantCulture, out int kills)
            ? kills
            : FewKills;

    [PeerFact(PeerProgram.Mosquitto)]
    public async Task Gateway_KilledInALoop_MqttJsFindsNoGap()
    {
        PeerRequirement.Demand();
        using TemporaryFolder folder = new();
        await using Mosquitto broker = await Mosquitto.StartAsync(folder);
        await using PeerProcess subscriber = PeerProcess.Start(
            "counters.js", new { port = broker.Port, topic = Publisher.Data });
        await subscriber.WaitForAsync("subscribed");
        await using Publisher publisher = await Publisher.StartAsync(folder, broker.Port);
        await FramesAsync(subscriber, MostMessages);

        for (int i = 0; i < Kills; i++)
        {
            await FramesAsync(subscriber, RandomNumberGenerator.GetInt32(1, MostMessages));
            if (i % 4 == 1)
                await broker.StopAsync();
            else if (i % 4 == 3)
                broker.Freeze();
            if (i % 2 == 1)
                await publisher.StoredAsync(MostMessages);
            await publisher.Process.KillAsync();
            if (i % 4 == 1)
                await broker.StartAsync();
            else if (i % 4 == 3)
                broker.Thaw();
            await publisher.Process.StartAsync();
            await subscriber.SendLineAsync(string.Create(CultureInfo.InvariantCulture, $"runs {i + 2}"));
            JsonElement stats = await subscriber.WaitForAsync("runs");
            output.WriteLine(string.Create(CultureInfo.InvariantCulture, $"kill {i + 1}: {stats}"));
        }

        JsonElement last = await FramesAsync(subscriber, MostMessages);
        Assert.Equal(Kills + 1, last.GetProperty("runs").GetInt32());
        await publisher.AssertNothingLostAsync();
    }

    /// <summary>So many more.</summary>
    private static async Task<JsonElement> FramesAsync(PeerProcess subscriber, int frames)
    {
        await subscriber.SendLineAsync(string.Create(CultureInfo.InvariantCulture, $"frames {frames}"));
        return await subscriber.WaitForAsync("frames");
    }
}
