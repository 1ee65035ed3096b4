using System.Formats.Asn1;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using System.Text.Json;
using Gateway.Client;
using Gateway.Codec.Structures;
using Gateway.Interop.Gateways;
using Gateway.Interop.OperatorConsole;

namespace Gateway.Interop;

/// <summary>The own certificate that was replaced over HTTP is the one that clients get after a restart.</summary>
public sealed class OwnCertificateTests : IDisposable
{
    private readonly TemporaryFolder folder = new();

    public void Dispose() => folder.Dispose();

    [Fact]
    public async Task OwnCertificate_MadeAnew_IsShownToClientsAfterARestart()
    {
        await using GatewayProcess gateway = await StartAsync();
        string before = await ShownAsync(gateway);

        JsonElement made = await SendAsync(gateway, HttpMethod.Post, "own-certificate/new", null);
        Assert.Equal(0, await gateway.StopAsync());
        await gateway.StartAsync();

        string after = await ShownAsync(gateway);
        Assert.NotEqual(before, after);
        Assert.Equal(made.GetProperty("thumbprint").GetString(), after);
        Assert.Equal(after, await OwnAsync(gateway));
    }

    /// <summary>The key that the request was made with has to be the one in use then.</summary>
    [Fact]
    public async Task OwnCertificate_SignedByAnAuthority_IsShownToClientsAfterARestart()
    {
        using TestAuthority authority = new("plant");
        await using GatewayProcess gateway = await StartAsync();
        string request = (await SendAsync(gateway, HttpMethod.Post, "own-certificate/request", null))
            .GetProperty("request").GetString()!;
        using X509Certificate2 signed = authority.Sign(request);
        await SendAsync(gateway, HttpMethod.Put, "own-certificate", new { certificate = authority.ChainOf(signed) });

        Assert.Equal(0, await gateway.StopAsync());
        await gateway.StartAsync();

        Assert.Equal(signed.Thumbprint, await ShownAsync(gateway));
        Assert.Equal(signed.Thumbprint, await OwnAsync(gateway));
    }

    private Task<GatewayProcess> StartAsync() => GatewayProcess.StartAsync(
        folder, "--Users:0:Name=admin", "--Users:0:Password=horse", "--Users:0:Roles:0=SecurityAdmin");

    /// <summary>The thumbprint of the certificate in the endpoints; the first of a chain.</summary>
    private static async Task<string> ShownAsync(GatewayProcess gateway)
    {
        using UaClient client = new(new ClientOptions());
        EndpointDescription[] endpoints = await client.GetEndpointsAsync(gateway.EndpointUrl, default);
        byte[] chain = endpoints[0].ServerCertificate!;
        AsnDecoder.ReadEncodedValue(chain, AsnEncodingRules.DER, out _, out _, out int length);
        using X509Certificate2 shown = X509CertificateLoader.LoadCertificate(chain.AsSpan(0, length));
        return shown.Thumbprint;
    }

    private static async Task<string?> OwnAsync(GatewayProcess gateway)
    {
        JsonElement list = await SendAsync(gateway, HttpMethod.Get, "certificates?store=own", null);
        // The authorities above it lie in the same file.
        return Assert.Single(
            list.GetProperty("certificates").EnumerateArray(), static one => !one.GetProperty("authority").GetBoolean())
            .GetProperty("thumbprint").GetString();
    }

    private static async Task<JsonElement> SendAsync(
        GatewayProcess gateway, HttpMethod method, string path, object? body)
    {
        using HttpClient http = ConsoleFixture.ApiOf($"http://127.0.0.1:{gateway.HttpPort}", "admin");
        using HttpRequestMessage request = new(method, new Uri("/api/v1/" + path, UriKind.Relative));
        if (body is not null)
            request.Content = new StringContent(JsonSerializer.Serialize(body), Encoding.UTF8, "application/json");
        using HttpResponseMessage answer = await http.SendAsync(request);
        string text = await answer.Content.ReadAsStringAsync();
        Assert.True(answer.IsSuccessStatusCode, text);
        return JsonDocument.Parse(text).RootElement;
    }
}
