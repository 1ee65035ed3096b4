using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Gateway.Client;
using Gateway.Client.Sessions;
using Gateway.Interop.Browsers;
using Gateway.Interop.Gateways;
using Gateway.Interop.Scripts;
using Gateway.Transport.Certificates;
using Microsoft.Playwright;

namespace Gateway.Interop.OperatorConsole;

/// <summary>A gateway with a user of each role, node-opcua's server that it trusts, a client that it does not, and a
/// browser.</summary>
public sealed class ActionsFixture : IAsyncLifetime, IDisposable
{
    /// <summary>A client's own words: markup in a page that trusts them.</summary>
    public const string Hostile = "<img src=x onerror=window.hit=1>";

    private static readonly string[] Roles = ["Observer", "Operator", "Engineer", "SecurityAdmin"];

    private readonly TemporaryFolder folder = new();
    private RunningBrowser? browser;

    internal PlantServer Plant { get; private set; } = null!;

    internal GatewayProcess Gateway { get; private set; } = null!;

    /// <summary>Nobody trusts it at the start.</summary>
    internal ApplicationCertificate Stranger { get; private set; } = null!;

    private string Origin => $"http://localhost:{Gateway.HttpPort}";

    public async Task InitializeAsync()
    {
        if (PeerRequirement.ReasonOf(PeerProgram.ConsoleAndNodeOpcUa) is not null)
            return;
        PeerRequirement.Demand(PeerProgram.ConsoleAndNodeOpcUa);
        Plant = await PlantServer.StartAsync(folder, "console", "urn:interop:machine:console", changeMs: 250);
        TrustPlant();
        Stranger = CreateStranger();
        Gateway = await GatewayProcess.StartAsync(folder,
        [
            .. Roles.SelectMany((role, i) => new[]
            {
                $"--Users:{i}:Name={role.ToLowerInvariant()}", $"--Users:{i}:Password=horse",
                $"--Users:{i}:Roles:0={role}",
            }),
        ]);
        browser = await RunningBrowser.StartAsync();
    }

    public async Task DisposeAsync()
    {
        if (browser is not null)
            await browser.DisposeAsync();
        if (Gateway is not null)
            await Gateway.DisposeAsync();
        if (Plant is not null)
            await Plant.DisposeAsync();
    }

    public void Dispose()
    {
        Stranger?.Dispose();
        folder.Dispose();
    }

    /// <summary>A page of the console, in a window of its own, for a user who has logged in there.</summary>
    internal async Task<IPage> OpenAsync(string user, string path)
    {
        IPage page = await browser!.OpenAsync(new());
        await page.GotoAsync(Origin + path);
        await ConsoleFixture.LogInAsync(page, user);
        return page;
    }

    /// <summary>The client that nobody knows tries to connect, with a login that is right.</summary>
    internal async Task KnockAsync()
    {
        using UaClient client = new(new ClientOptions
        {
            Certificate = Stranger,
            CertificateValidator = new TrustingValidator(),
        });
        await using ClientSession session = await client.ConnectAsync(new ConnectSettings
        {
            EndpointUrl = Gateway.EndpointUrl,
            Identity = ClientIdentity.UserName("observer", "horse"),
        });
    }

    private static ApplicationCertificate CreateStranger()
    {
        using RSA key = RSA.Create(2048);
        X500DistinguishedNameBuilder subject = new();
        subject.AddCommonName(Hostile);
        CertificateRequest request = new(
            subject.Build(), key, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1);
        SubjectAlternativeNameBuilder names = new();
        names.AddUri(new Uri("urn:interop:stranger"));
        request.CertificateExtensions.Add(names.Build());
        request.CertificateExtensions.Add(new X509KeyUsageExtension(
            X509KeyUsageFlags.DigitalSignature | X509KeyUsageFlags.NonRepudiation | X509KeyUsageFlags.KeyEncipherment
            | X509KeyUsageFlags.DataEncipherment | X509KeyUsageFlags.KeyCertSign, critical: true));
        DateTimeOffset now = TimeProvider.System.GetUtcNow();
        return new(request.CreateSelfSigned(now.AddDays(-1), now.AddDays(30)));
    }

    private void TrustPlant()
    {
        string pem = File.ReadAllText(Path.Combine(folder.Sub("console-pki"), "own", "certs", "certificate.pem"));
        using X509Certificate2 certificate = X509Certificate2.CreateFromPem(pem);
        File.WriteAllBytes(
            Path.Combine(folder.Sub("gateway", "pki", "trusted", "certs"), "plant.der"), certificate.RawData);
    }
}
