using System.Collections.Concurrent;
using Gateway.Testing;
using Microsoft.Playwright;

namespace Gateway.Interop.Browsers;

/// <summary>Windows of one Chromium, without a window that anybody sees. It and the program that drives it start once,
/// for all tests: each start costs seconds of processor time. They end with this process.</summary>
internal sealed class RunningBrowser : IAsyncDisposable
{
    private static readonly SemaphoreSlim OneAtATime = new(1);
    private static IBrowser? shared;

    private readonly IBrowser browser;
    private readonly ConcurrentBag<IBrowserContext> windows = [];

    private RunningBrowser(IBrowser browser) => this.browser = browser;

    /// <summary>After a start that failed, the next test tries it again.</summary>
    public static async Task<RunningBrowser> StartAsync()
    {
        await OneAtATime.WaitAsync();
        try
        {
            return new(shared ??= await LaunchAsync());
        }
        finally
        {
            OneAtATime.Release();
        }
    }

    /// <summary>An empty page in a window that knows nothing of others.</summary>
    public async Task<IPage> OpenAsync(BrowserNewContextOptions options)
    {
        IBrowserContext window = await browser.NewContextAsync(options);
        windows.Add(window);
        window.SetDefaultTimeout((float)Patience.Limit.TotalMilliseconds);
        return await window.NewPageAsync();
    }

    public async ValueTask DisposeAsync()
    {
        foreach (IBrowserContext window in windows)
            await window.CloseAsync();
    }

    private static async Task<IBrowser> LaunchAsync()
    {
        IPlaywright playwright = await Playwright.CreateAsync();
        try
        {
            IBrowser launched = await playwright.Chromium.LaunchAsync(new()
            {
                ExecutablePath = BrowserProgram.Path,
                // Of root, in a container.
                ChromiumSandbox = false,
                Timeout = (float)Patience.Limit.TotalMilliseconds,
            });
            AppDomain.CurrentDomain.ProcessExit += (_, _) => playwright.Dispose();
            return launched;
        }
        catch
        {
            playwright.Dispose();
            throw;
        }
    }
}
