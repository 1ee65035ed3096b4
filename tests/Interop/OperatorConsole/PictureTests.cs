using System.Globalization;
using System.Security.Cryptography.X509Certificates;
using System.Text.Json;
using Gateway.Client;
using Gateway.Client.Sessions;
using Gateway.Interop.Browsers;
using Gateway.Interop.Gateways;
using Gateway.Interop.Scripts;
using Gateway.Transport.Certificates;
using Microsoft.Playwright;

namespace Gateway.Interop.OperatorConsole;

/// <summary>The pictures of docs/console, as WebP: a plant with clients, one that is rejected, an upstream that is
/// away. CONSOLE_PICTURES in the environment names their folder, and CONSOLE_PICTURES_SECONDS how much of the past the
/// plots show.</summary>
public sealed class PictureTests : IAsyncLifetime, IDisposable
{
    private const int MostBytes = 100_000;
    private const string NamespaceUri = "urn:plant:press";

    private static readonly BrowserNewContextOptions Wide = new()
    {
        ColorScheme = ColorScheme.Light,
        ViewportSize = new() { Width = 1200, Height = 900 },
        Locale = "en-GB",
    };

    private readonly TemporaryFolder folder = new();
    private PlantServer press = null!;
    private GatewayProcess gateway = null!;
    private PeerProcess fleet = null!;
    private RunningBrowser browser = null!;

    private string Pictures => Environment.GetEnvironmentVariable("CONSOLE_PICTURES") ?? folder.Sub("pictures");

    private static int Seconds => int.TryParse(
        Environment.GetEnvironmentVariable("CONSOLE_PICTURES_SECONDS"), CultureInfo.InvariantCulture, out int given)
        ? given
        : 0;

    public async Task InitializeAsync()
    {
        if (PeerRequirement.ReasonOf(PeerProgram.ConsoleAndNodeOpcUa) is not null)
            return;
        PeerRequirement.Demand(PeerProgram.ConsoleAndNodeOpcUa);
        press = await PlantServer.StartAsync(folder, "press", NamespaceUri, changeMs: 250);
        TestCertificate client = TestCertificate.ForApplication(folder.Path, "urn:interop:client");
        Trust("client", client.Der);
        Trust("press", PressCertificate());
        gateway = await GatewayProcess.StartAsync(
            folder, "--Users:0:Name=anna", "--Users:0:Password=horse",
            "--Users:0:Roles=Operator,Engineer,SecurityAdmin", "--Upstreams:0:Name=Press",
            $"--Upstreams:0:EndpointUrl={press.EndpointUrl}", "--Simulator:ChangesPerSecond=1000");
        fleet = PeerProcess.Start("fleet.js", PeerArguments.Create(
            folder, client, gateway.EndpointUrl, new { clients = 12, items = 10 }));
        await fleet.WaitForAsync("flowing");
        browser = await RunningBrowser.StartAsync();
    }

    public async Task DisposeAsync()
    {
        if (browser is not null)
            await browser.DisposeAsync();
        if (fleet is not null)
            await fleet.DisposeAsync();
        if (gateway is not null)
            await gateway.DisposeAsync();
        if (press is not null)
            await press.DisposeAsync();
    }

    public void Dispose() => folder.Dispose();

    [PeerFact(PeerProgram.ConsoleAndNodeOpcUa)]
    public async Task Pictures_OfTheDocumentation_AreDrawn()
    {
        await KnockAsync();
        IPage node = await OpenAsync("/trace?node=" + Uri.EscapeDataString($"nsu={NamespaceUri};i=1000"), Wide);
        await node.GetByText("arrives.").First.WaitForAsync();
        await press.KillAsync();
        await node.GetByText("What to do:").First.WaitForAsync();
        IPage overview = await OpenAsync("/", Wide);
        await overview.GetByText("does not deliver (Press)").First.WaitForAsync();
        await overview.GetByText("Press is away").First.WaitForAsync();
        if (Seconds > 0)
            await overview.WaitForTimeoutAsync(Seconds * 1000f);
        IPage narrow = await OpenAsync(
            "/", new(Wide) { ColorScheme = ColorScheme.Dark, ViewportSize = new() { Width = 400, Height = 900 } });
        await narrow.GetByText("does not deliver (Press)").First.WaitForAsync();
        IPage certificates = await OpenAsync(
            "/certificates", new(Wide) { ViewportSize = new() { Width = 1200, Height = 480 } });
        await certificates.GetByText("Keep rejected").First.WaitForAsync();
        IPage clients = await OpenAsync("/clients", new(Wide) { ColorScheme = ColorScheme.Dark });
        await clients.GetByText("Active").First.WaitForAsync();

        await DrawAsync(overview, "overview");
        await DrawAsync(narrow, "overview-narrow");
        await DrawAsync(certificates, "certificates");
        await DrawAsync(node, "trace");
        await DrawAsync(clients, "clients");
    }

    private async Task<IPage> OpenAsync(string path, BrowserNewContextOptions options)
    {
        IPage page = await browser.OpenAsync(options);
        await page.GotoAsync($"http://localhost:{gateway.HttpPort}{path}");
        await ConsoleFixture.LogInAsync(page, "anna");
        return page;
    }

    /// <summary>Playwright itself knows no WebP.</summary>
    private async Task DrawAsync(IPage page, string name)
    {
        await page.Mouse.MoveAsync(0, 0);
        ICDPSession session = await page.Context.NewCDPSessionAsync(page);
        JsonElement? answer = await session.SendAsync("Page.captureScreenshot", new Dictionary<string, object>
        {
            ["format"] = "webp",
            ["quality"] = 70,
        });
        byte[] picture = answer!.Value.GetProperty("data").GetBytesFromBase64();

        Assert.Equal("RIFF"u8.ToArray(), picture[..4]);
        Assert.InRange(picture.Length, 1_000, MostBytes);
        await File.WriteAllBytesAsync(Path.Combine(Pictures, name + ".webp"), picture);
    }

    /// <summary>A client that nobody has trusted.</summary>
    private async Task KnockAsync()
    {
        TestCertificate files = TestCertificate.ForApplication(folder.Path, "urn:plant:HMI");
        using ApplicationCertificate certificate =
            new(X509Certificate2.CreateFromPemFile(files.CertificateFile, files.PrivateKeyFile));
        using UaClient client = new(new ClientOptions
        {
            Certificate = certificate,
            CertificateValidator = new TrustingValidator(),
        });
        await Assert.ThrowsAsync<ServiceException>(async () => await client.ConnectAsync(new ConnectSettings
        {
            EndpointUrl = gateway.EndpointUrl,
            Identity = ClientIdentity.UserName("anna", "horse"),
        }));
    }

    private void Trust(string name, byte[] certificate) => File.WriteAllBytes(
        Path.Combine(folder.Sub("gateway", "pki", "trusted", "certs"), name + ".der"), certificate);

    private byte[] PressCertificate()
    {
        using X509Certificate2 certificate = X509Certificate2.CreateFromPem(
            File.ReadAllText(Path.Combine(folder.Sub("press-pki"), "own", "certs", "certificate.pem")));
        return certificate.RawData;
    }
}
