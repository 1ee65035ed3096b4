using Gateway.Interop.Gateways;
using Gateway.Interop.Scripts;
using Gateway.Testing;
using Microsoft.Playwright;

namespace Gateway.Interop.Browsers;

/// <summary>A gateway with one user, and a browser that knows his password.</summary>
public sealed class BrowserFixture : IAsyncLifetime
{
    private GatewayProcess? gateway;
    private IPlaywright? playwright;
    private IBrowser? browser;

    internal TemporaryFolder Folder { get; } = new();

    internal GatewayProcess Gateway => gateway!;

    internal string Origin => $"http://localhost:{Gateway.HttpPort}";

    /// <summary>Nothing starts where the tests will not run.</summary>
    public async Task InitializeAsync()
    {
        if (PeerRequirement.ReasonOf(PeerProgram.Chromium) is not null)
            return;
        PeerRequirement.Demand(PeerProgram.Chromium);
        gateway = await GatewayProcess.StartAsync(
            Folder, "--Users:0:Name=operator", "--Users:0:Password=horse", "--Users:0:Roles:0=Operator");
        playwright = await Playwright.CreateAsync();
        browser = await playwright.Chromium.LaunchAsync(new()
        {
            ExecutablePath = BrowserProgram.Path,
            // Of root, in a container.
            ChromiumSandbox = false,
            Timeout = (float)Patience.Limit.TotalMilliseconds,
        });
    }

    public async Task DisposeAsync()
    {
        if (browser is not null)
            await browser.DisposeAsync();
        playwright?.Dispose();
        if (gateway is not null)
            await gateway.DisposeAsync();
        Folder.Dispose();
    }

    /// <summary>A page that the gateway itself sent, so that scripts in it have its origin.</summary>
    internal async Task<IPage> OpenAsync()
    {
        IBrowserContext context = await browser!.NewContextAsync(new()
        {
            HttpCredentials = new() { Username = "operator", Password = "horse" },
        });
        context.SetDefaultTimeout((float)Patience.Limit.TotalMilliseconds);
        IPage page = await context.NewPageAsync();
        IResponse? answer = await page.GotoAsync(Origin + "/api/v1/values?node=i%3D2258");
        Assert.True(answer is { Ok: true }, $"{answer?.Status}");
        return page;
    }
}
