using Gateway.Interop.Gateways;
using Gateway.Interop.Scripts;
using Microsoft.Playwright;

namespace Gateway.Interop.Browsers;

/// <summary>A gateway with one user, and a browser that knows his password.</summary>
public sealed class BrowserFixture : IAsyncLifetime
{
    private GatewayProcess? gateway;
    private RunningBrowser? browser;

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
            Folder, "--Users:0:Name=operator", "--Users:0:Password=horse", "--Users:0:Roles:0=Operator",
            "--Simulator:Alarms=10");
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

    /// <summary>A page that the gateway itself sent, so that scripts in it have its origin.</summary>
    internal async Task<IPage> OpenAsync()
    {
        IPage page = await browser!.OpenAsync(new()
        {
            HttpCredentials = new() { Username = "operator", Password = "horse" },
        });
        IResponse? answer = await page.GotoAsync(Origin + "/api/v1/values?node=i%3D2258");
        Assert.True(answer is { Ok: true }, $"{answer?.Status}");
        return page;
    }
}
