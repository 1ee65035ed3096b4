using System.Security.Cryptography;
using System.Text.Json;
using Gateway.Interop.Gateways;
using Gateway.Interop.PubSub;
using Gateway.Interop.Scripts;
using Xunit.Abstractions;

namespace Gateway.Interop.Deploy;

/// <summary>kill −9 at moments that nobody chose, while clients are served and values are published: the next start
/// works, and the PKI folder and the store are whole.</summary>
public sealed class KillUnderLoadTests(ITestOutputHelper output)
{
    private const int Kills = 5;
    private const int Clients = 10;
    private const int MostMessages = 30;

    [PeerFact(PeerProgram.Mosquitto)]
    public async Task Gateway_KilledAtRandomUnderLoad_StartsAgainWithAllThatItHad()
    {
        PeerRequirement.Demand();
        using TemporaryFolder folder = new();
        Ledger ledger = new();
        await using Mosquitto broker = await Mosquitto.StartAsync(folder);
        await using Subscriber subscriber = await broker.SubscribeAsync();
        await using Publisher publisher = await Publisher.StartAsync(folder, broker.Port);
        GatewayProcess gateway = publisher.Process;
        TestCertificate client = TestCertificate.ForApplication(folder.Path, "urn:interop:client");
        await using PeerProcess fleet = PeerProcess.Start("fleet.js", PeerArguments.Create(
            folder, client, gateway.EndpointUrl, new { clients = Clients, items = 5 }));
        await fleet.WaitForAsync("flowing");
        string own = await OwnAsync(gateway);

        for (int i = 0; i < Kills; i++)
        {
            int messages = RandomNumberGenerator.GetInt32(1, MostMessages);
            output.WriteLine($"kill {i + 1} after {messages} messages");
            for (int taken = 0; taken < messages; taken++)
                ledger.Take(await subscriber.NextAsync(Publisher.Data));
            await gateway.KillAsync();
            await gateway.StartAsync();
            JsonElement back = await fleet.WaitForAsync("flowing");
            output.WriteLine($"all {Clients} clients have data {back.GetProperty("ms")} ms after the first loss");
            Assert.Equal(own, await OwnAsync(gateway));
        }

        // Each run's messages come whole and in order: the ledger demands it.
        while (ledger.Runs <= Kills)
            ledger.Take(await subscriber.NextAsync(Publisher.Data));
        await publisher.AssertNothingLostAsync();
        Assert.Empty(Directory.GetFiles(gateway.Pki, "*.new", SearchOption.AllDirectories));
        Assert.Empty(Directory.GetFiles(gateway.Pki, "*.tmp", SearchOption.AllDirectories));
        Assert.Equal(0, await gateway.StopAsync());
    }

    /// <summary>The gateway's certificate and key, byte by byte.</summary>
    private static async Task<string> OwnAsync(GatewayProcess gateway)
    {
        string[] files =
        [
            .. Directory.GetFiles(Path.Combine(gateway.Pki, "own"), "*.*", SearchOption.AllDirectories).Order(),
        ];
        Assert.Equal(2, files.Length);
        return string.Concat(await Task.WhenAll(files.Select(async file =>
            Convert.ToHexString(SHA256.HashData(await File.ReadAllBytesAsync(file))))));
    }
}
