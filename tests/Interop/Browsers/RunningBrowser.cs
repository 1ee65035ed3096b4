using Gateway.Testing;
using Microsoft.Playwright;

namespace Gateway.Interop.Browsers;

/// <summary>Chromium without a window, and the program that drives it.</summary>
internal sealed class RunningBrowser : IAsyncDisposable
{
    private readonly IPlaywright playwright;
    private readonly IBrowser browser;

    private RunningBrowser(IPlaywright playwright, IBrowser browser) =>
        (this.playwright, this.browser) = (playwright, browser);

    public static async Task<RunningBrowser> StartAsync()
    {
        IPlaywright playwright = await Playwright.CreateAsync();
        try
        {
            return new(playwright, await playwright.Chromium.LaunchAsync(new()
            {
                ExecutablePath = BrowserProgram.Path,
                // Of root, in a container.
                ChromiumSandbox = false,
                Timeout = (float)Patience.Limit.TotalMilliseconds,
            }));
        }
        catch
        {
            playwright.Dispose();
            throw;
        }
    }

    /// <summary>An empty page in a window that knows nothing of others.</summary>
    public async Task<IPage> OpenAsync(BrowserNewContextOptions options)
    {
        IBrowserContext context = await browser.NewContextAsync(options);
        context.SetDefaultTimeout((float)Patience.Limit.TotalMilliseconds);
        return await context.NewPageAsync();
    }

    public async ValueTask DisposeAsync()
    {
        await browser.DisposeAsync();
        playwright.Dispose();
    }
}
