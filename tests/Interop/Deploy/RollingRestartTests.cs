using System.Globalization;
using System.Text.Json;
using Gateway.Interop.Gateways;
using Gateway.Interop.Scripts;
using Xunit.Abstractions;

namespace Gateway.Interop.Deploy;

/// <summary>The gateway is replaced on the same port and PKI folder, as an upgrade does: every client has its data
/// again by itself.</summary>
public sealed class RollingRestartTests(ITestOutputHelper output)
{
    private const string SizeVariable = "ROLLING_RESTART_CLIENTS";
    private const int ClientsByDefault = 50;

    private static readonly string[] Options =
        ["--Pki:AutoTrust=true", "--Simulator:Tags=20", "--Simulator:ChangesPerSecond=200"];

    /// <summary>More clients by hand: the number in ROLLING_RESTART_CLIENTS.</summary>
    [PeerFact]
    public async Task Fleet_GatewayReplaced_HasItsDataAgain()
    {
        using TemporaryFolder folder = new();
        TestCertificate client = TestCertificate.ForApplication(folder.Path, "urn:interop:client");
        await using GatewayProcess gateway = await GatewayProcess.StartAsync(folder, Options);
        await using PeerProcess fleet = PeerProcess.Start("fleet.js", PeerArguments.Create(
            folder, client, gateway.EndpointUrl, new { clients = Clients, items = 5 }));
        await fleet.WaitForAsync("flowing");

        Assert.Equal(0, await gateway.StopAsync());
        await gateway.StartAsync();
        JsonElement back = await fleet.WaitForAsync("flowing");

        await fleet.SendLineAsync("stop");
        JsonElement result = await fleet.ResultAsync();
        output.WriteLine($"{Clients} clients; the last had its data {back.GetProperty("ms")} ms after the first loss");
        Assert.Equal(Clients, result.GetProperty("clients").GetInt32());
        Assert.True(result.GetProperty("losses").GetInt32() >= 1, result.GetRawText());
    }

    private static int Clients => int.TryParse(
        Environment.GetEnvironmentVariable(SizeVariable), NumberStyles.None, CultureInfo.InvariantCulture, out int size)
        ? size
        : ClientsByDefault;
}
