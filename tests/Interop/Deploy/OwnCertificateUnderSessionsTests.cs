using System.Net.Http.Headers;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using System.Text.Json;
using Gateway.Client;
using Gateway.Codec.Structures;
using Gateway.Interop.Gateways;
using Gateway.Interop.Scripts;

namespace Gateway.Interop.Deploy;

/// <summary>The gateway's own certificate is replaced under node-opcua's sessions: none is lost, and clients whose
/// connection breaks later find the new one by themselves.</summary>
public sealed class OwnCertificateUnderSessionsTests
{
    private const int Clients = 10;

    [PeerFact]
    public async Task Replaced_UnderSessions_NoneIsLostAndAllComeBackWithTheNewOne()
    {
        using TemporaryFolder folder = new();
        TestCertificate client = TestCertificate.ForApplication(folder.Path, "urn:interop:client");
        await using GatewayProcess gateway = await GatewayProcess.StartAsync(
            folder, "--Pki:AutoTrust=true", "--Simulator:Tags=20", "--Simulator:ChangesPerSecond=200",
            "--Users:0:Name=eva", "--Users:0:Password=horse", "--Users:0:Roles:0=Engineer",
            "--Users:0:Roles:1=SecurityAdmin");
        using HttpClient http = new() { BaseAddress = new Uri($"http://127.0.0.1:{gateway.HttpPort}/api/v1/") };
        http.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue(
            "Basic", Convert.ToBase64String(Encoding.UTF8.GetBytes("eva:horse")));
        await using PeerProcess fleet = PeerProcess.Start("fleet.js", PeerArguments.Create(
            folder, client, gateway.EndpointUrl, new { clients = Clients, items = 5 }));
        await fleet.WaitForAsync("flowing");
        string[] before = await IdsAsync(http, "sessions", "id");
        string[] connections = await IdsAsync(http, "connections", "channelId");

        using HttpResponseMessage answer = await http.PostAsync(new Uri("own-certificate/new", UriKind.Relative), null);
        using JsonDocument made = JsonDocument.Parse(await answer.Content.ReadAsStringAsync());
        Assert.Equal(200, (int)answer.StatusCode);

        Assert.Equal(made.RootElement.GetProperty("thumbprint").GetString(), await ShownAsync(gateway));
        Assert.Equal(before, await IdsAsync(http, "sessions", "id"));
        foreach (string id in connections)
            (await http.DeleteAsync(new Uri("connections/" + id, UriKind.Relative))).Dispose();
        await fleet.WaitForAsync("flowing");
        await fleet.SendLineAsync("stop");
        JsonElement result = await fleet.ResultAsync();
        Assert.Equal(Clients, result.GetProperty("clients").GetInt32());
        Assert.True(result.GetProperty("losses").GetInt32() >= 1, result.GetRawText());
    }

    /// <summary>The thumbprint in GetEndpoints.</summary>
    private static async Task<string> ShownAsync(GatewayProcess gateway)
    {
        using UaClient client = new(new ClientOptions());
        EndpointDescription[] endpoints = await client.GetEndpointsAsync(gateway.EndpointUrl);
        using X509Certificate2 certificate = X509CertificateLoader.LoadCertificate(endpoints[0].ServerCertificate!);
        return certificate.Thumbprint;
    }

    /// <summary>Of those that have a member: HTTP's connections have no channel.</summary>
    private static async Task<string[]> IdsAsync(HttpClient http, string list, string member)
    {
        using JsonDocument page = JsonDocument.Parse(await http.GetStringAsync(
            new Uri($"{list}?fields=id,{member}&limit=1000", UriKind.Relative)));
        return
        [
            .. page.RootElement.GetProperty(list).EnumerateArray()
                .Where(one => one.TryGetProperty(member, out _))
                .Select(static one => one.GetProperty("id").GetString()!).Order(StringComparer.Ordinal),
        ];
    }
}
