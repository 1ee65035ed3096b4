using System.Net.Http.Headers;
using System.Text;
using Gateway.Interop.Browsers;
using Gateway.Interop.Gateways;
using Gateway.Interop.Scripts;
using Microsoft.Playwright;

namespace Gateway.Interop.OperatorConsole;

/// <summary>A gateway with a user of each role, certificates that it does not trust, and a browser.</summary>
public sealed class ConsoleFixture : IAsyncLifetime
{
    private GatewayProcess? gateway;
    private RunningBrowser? browser;

    /// <summary>The name of a certificate's subject, which its owner chooses.</summary>
    internal const string HostileName = "<img src=x onerror=window.hacked=1>";

    internal TestCertificate Hostile { get; private set; } = null!;

    internal TestCertificate Press { get; private set; } = null!;

    internal TemporaryFolder Folder { get; } = new();

    internal GatewayProcess Gateway => gateway!;

    internal string Origin => $"http://localhost:{Gateway.HttpPort}";

    /// <summary>Nothing starts where the tests will not run.</summary>
    public async Task InitializeAsync()
    {
        if (PeerRequirement.ReasonOf(PeerProgram.ConsoleInChromium) is not null)
            return;
        PeerRequirement.Demand(PeerProgram.ConsoleInChromium);
        Hostile = TestCertificate.ForUser(Folder.Path, $"\"{HostileName}\"");
        Press = TestCertificate.ForApplication(Folder.Path, "urn:plant:press");
        PutRejected(Hostile);
        PutRejected(Press);
        gateway = await GatewayProcess.StartAsync(Folder, [.. Users().Append("--Limits:MaxFailedLogins=100")]);
        browser = await RunningBrowser.StartAsync();
    }

    public async Task DisposeAsync()
    {
        if (browser is not null)
            await browser.DisposeAsync();
        if (gateway is not null)
            await gateway.DisposeAsync();
        Folder.Dispose();
    }

    /// <summary>A window that knows nothing of others.</summary>
    internal async Task<IPage> OpenAsync(
        string path, ColorScheme scheme = ColorScheme.Light, int width = 1280, bool bypassCsp = false,
        string locale = "en-GB")
    {
        IPage page = await browser!.OpenAsync(new()
        {
            ColorScheme = scheme,
            ViewportSize = new() { Width = width, Height = 900 },
            BypassCSP = bypassCsp,
            Locale = locale,
        });
        await page.GotoAsync(Origin + path);
        return page;
    }

    /// <summary>A script's own client, without the console.</summary>
    internal HttpClient Api(string user) => ApiOf(Origin, user);

    internal static HttpClient ApiOf(string origin, string user)
    {
        HttpClient http = new() { BaseAddress = new Uri(origin) };
        http.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue(
            "Basic", Convert.ToBase64String(Encoding.UTF8.GetBytes($"{user}:horse")));
        return http;
    }

    /// <summary>Logs in on the page that is open, by keyboard.</summary>
    internal static async Task LogInAsync(IPage page, string user, string password = "horse")
    {
        await page.GetByLabel("Name").FillAsync(user);
        await page.GetByLabel("Password").FillAsync(password);
        await page.Keyboard.PressAsync("Enter");
    }

    /// <summary>By Tab, as somebody without a mouse would.</summary>
    internal static async Task ReachAsync(IPage page, string text)
    {
        const int most = 60;
        for (int i = 0; i < most; i++)
        {
            await page.Keyboard.PressAsync("Tab");
            if (await page.EvaluateAsync<string>("() => document.activeElement.textContent.trim()") == text)
                return;
        }

        Assert.Fail($"'{text}' is not reached by {most} Tabs");
    }

    /// <summary>By Tab to one element.</summary>
    internal static async Task ReachAsync(IPage page, ILocator element)
    {
        const int most = 120;
        for (int i = 0; i < most; i++)
        {
            await page.Keyboard.PressAsync("Tab");
            if (await element.EvaluateAsync<bool>("one => one === document.activeElement"))
                return;
        }

        Assert.Fail($"{element} is not reached by {most} Tabs");
    }

    /// <summary>A certificate that somebody has shown before the start of the gateway.</summary>
    private void PutRejected(TestCertificate certificate) => File.WriteAllBytes(
        Path.Combine(Folder.Sub("gateway", "pki", "rejected", "certs"), $"{certificate.Thumbprint}.der"),
        certificate.Der);

    /// <summary>The name of each says its role; "admin" has all.</summary>
    private static IEnumerable<string> Users() =>
        new[] { "Observer", "Operator", "Engineer", "SecurityAdmin", "admin" }.Index().SelectMany(static user => new[]
        {
            $"--Users:{user.Index}:Name={user.Item}", $"--Users:{user.Index}:Password=horse",
            $"--Users:{user.Index}:Roles={(user.Item == "admin" ? "Operator,Engineer,SecurityAdmin" : user.Item)}",
        });
}
