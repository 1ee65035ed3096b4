using System.Diagnostics;
using System.Globalization;
using System.Text.Json;
using Gateway.Interop.Browsers;
using Gateway.Interop.Gateways;
using Gateway.Interop.Scripts;
using Gateway.Testing;
using Microsoft.Playwright;
using Xunit.Abstractions;

namespace Gateway.Interop.OperatorConsole;

/// <summary>Pages that stay open in a real browser beside the sessions of a plant: neither they nor the gateway grow.
/// For a moment here; GATEWAY_CONSOLE_MINUTES=60 and GATEWAY_CONSOLE_SESSIONS=10000 in the environment make it an hour
/// beside ten thousand.</summary>
public sealed class ConsoleHourTests(ITestOutputHelper output) : IAsyncLifetime, IDisposable
{
    private const double FewMinutes = 0.3;
    private const int FewSessions = 10;
    private const int Looks = 6;
    private const double Megabyte = 1024 * 1024;

    /// <summary>Each with something that comes again and again; a part of the first has it once it works.</summary>
    private static readonly (string Path, string Text)[] Pages =
    [
        ("/", "in the last hour"), ("/clients", "Notifications/s"), ("/admission", "Create session"),
        ("/nodes?node=ns%3D2%3Bi%3D1000", "For clients and scripts"), ("/configuration#limits", "MaxSessions"),
    ];

    private readonly TemporaryFolder folder = new();
    private RunningBrowser browser = null!;
    private GatewayProcess gateway = null!;
    private ChildProcess? sessions;

    private static double Minutes => Math.Min(24 * 60, Number("GATEWAY_CONSOLE_MINUTES", FewMinutes));

    private static int Sessions => (int)Number("GATEWAY_CONSOLE_SESSIONS", FewSessions);

    public Task InitializeAsync() => Task.CompletedTask;

    public async Task DisposeAsync()
    {
        if (browser is not null)
            await browser.DisposeAsync();
        if (sessions is not null)
            await sessions.DisposeAsync();
        if (gateway is not null)
            await gateway.DisposeAsync();
    }

    public void Dispose() => folder.Dispose();

    [PeerFact(PeerProgram.ConsoleInChromium)]
    public async Task Pages_OpenBesideSessions_DoNotGrow()
    {
        PeerRequirement.Demand(PeerProgram.ConsoleInChromium);
        gateway = await GatewayProcess.StartAsync(
            folder, "--demo", $"--Simulator:Tags={Math.Max(1_000, Sessions)}", "--Simulator:ChangesPerSecond=1000");
        sessions = StartSessions();
        await OpenedAsync();
        using Process program = Process.GetProcessById(gateway.ProcessId);
        double alone = await CoresAsync(program, Minutes / Looks / 2);
        browser = await RunningBrowser.StartAsync();
        List<IPage> pages = [];
        foreach ((string path, string text) in Pages)
            pages.Add(await OpenAsync(path, text));

        List<PageSize> sizes = [];
        List<double> cores = [];
        List<double> memory = [];
        for (int i = 0; i < Looks; i++)
        {
            cores.Add(await CoresAsync(program, Minutes / Looks));
            memory.Add(program.WorkingSet64 / Megabyte);
            sizes.Add(await SizeAsync(pages));
            output.WriteLine(string.Create(
                CultureInfo.InvariantCulture,
                $"{(i + 1) * Minutes / Looks:0.0} min: {sizes[^1]}; ")
                + string.Create(
                    CultureInfo.InvariantCulture, $"gateway {memory[^1]:0.0} MiB, {cores[^1]:0.000} cores"));
        }

        double each = 100 * (cores.Average() - alone) / pages.Count;
        output.WriteLine(string.Create(
            CultureInfo.InvariantCulture,
            $"{Sessions} sessions alone: {alone:0.000} cores; a page costs {each:0.00} % of a core"));
        Assert.False(sessions.Exit.IsCompleted, sessions.Output);
        foreach ((IPage page, (string _, string text)) in pages.Zip(Pages))
            Assert.True(await page.GetByText(text).First.IsVisibleAsync(), page.Url);
        // By the second look the pages have loaded all, and their plots are full of what the gateway had kept.
        Assert.InRange(sizes[^1].HeapMegabytes, 0, (1.5 * sizes[1].HeapMegabytes) + 5);
        Assert.InRange(sizes[^1].Nodes, 0, (2 * sizes[1].Nodes) + 2_000);
        Assert.InRange(sizes[^1].Listeners, 0, (1.5 * sizes[1].Listeners) + 200);
    }

    private static double Number(string name, double otherwise) =>
        double.TryParse(
            Environment.GetEnvironmentVariable(name), NumberStyles.Float, CultureInfo.InvariantCulture,
            out double given)
            ? given
            : otherwise;

    /// <summary>The load driver holds them for longer than the pages are looked at.</summary>
    private ChildProcess StartSessions()
    {
        string seconds = Math.Ceiling((60 * 2 * Minutes) + 600).ToString(CultureInfo.InvariantCulture);
        string count = Sessions.ToString(CultureInfo.InvariantCulture);
        return new(
            new ProcessStartInfo("dotnet",
            [
                LoadDriver(), "sessions", "--url", gateway.EndpointUrl,
                "--sessions", count, "--tags", count, "--warm-up-sessions", "0", "--warm-up", "0", "--seconds", seconds,
                "--out", folder.Sub("results"),
            ]),
            static _ => { });
    }

    /// <summary>tests/Interop/bin/X/net10.0 → loadtest/bin/X/net10.0.</summary>
    private static string LoadDriver()
    {
        DirectoryInfo own = new(AppContext.BaseDirectory);
        string root = own.Parent!.Parent!.Parent!.Parent!.Parent!.FullName;
        return Path.Combine(root, "loadtest", "bin", own.Parent.Name, own.Name, "Gateway.Loadtest.dll");
    }

    private async Task OpenedAsync()
    {
        using HttpClient http = new();
        Uri path = new($"http://127.0.0.1:{gateway.HttpPort}/api/v1/overview");
        long since = TimeProvider.System.GetTimestamp();
        using PeriodicTimer look = new(TimeSpan.FromSeconds(1));
        while (true)
        {
            using JsonDocument json = JsonDocument.Parse(await http.GetStringAsync(path));
            JsonElement.ArrayEnumerator samples = json.RootElement.GetProperty("samples").EnumerateArray();
            if (samples.Any() && samples.Last().GetProperty("monitoredItems").GetInt64() >= Sessions)
                return;
            // Ten thousand take minutes on a small machine.
            bool isLate = TimeProvider.System.GetElapsedTime(since) > 2 * Patience.Limit;
            Assert.False(isLate || sessions!.Exit.IsCompleted, sessions!.Output);
            await look.WaitForNextTickAsync();
        }
    }

    private async Task<IPage> OpenAsync(string path, string text)
    {
        IPage page = await browser.OpenAsync(new());
        await page.GotoAsync($"http://localhost:{gateway.HttpPort}{path}");
        await page.GetByText(text).First.WaitForAsync();
        if (path.StartsWith("/nodes", StringComparison.Ordinal))
            await page.GetByRole(AriaRole.Button, new() { Name = "Plot it" }).ClickAsync();
        return page;
    }

    /// <summary>Of the gateway, from now on.</summary>
    private static async Task<double> CoresAsync(Process program, double minutes)
    {
        TimeSpan before = program.TotalProcessorTime;
        long since = TimeProvider.System.GetTimestamp();
        using PeriodicTimer end = new(TimeSpan.FromMinutes(minutes));
        await end.WaitForNextTickAsync();
        program.Refresh();
        return (program.TotalProcessorTime - before) / TimeProvider.System.GetElapsedTime(since);
    }

    /// <summary>Of all pages together, with what can be collected collected.</summary>
    private static async Task<PageSize> SizeAsync(List<IPage> pages)
    {
        PageSize sum = new(0, 0, 0);
        foreach (IPage page in pages)
        {
            ICDPSession tools = await page.Context.NewCDPSessionAsync(page);
            await tools.SendAsync("HeapProfiler.collectGarbage");
            JsonElement heap = (await tools.SendAsync("Runtime.getHeapUsage"))!.Value;
            JsonElement dom = (await tools.SendAsync("Memory.getDOMCounters"))!.Value;
            sum = new(
                sum.HeapMegabytes + (heap.GetProperty("usedSize").GetDouble() / Megabyte),
                sum.Nodes + dom.GetProperty("nodes").GetInt32(),
                sum.Listeners + dom.GetProperty("jsEventListeners").GetInt32());
            await tools.DetachAsync();
        }

        return sum;
    }

    private sealed record PageSize(double HeapMegabytes, int Nodes, int Listeners)
    {
        public override string ToString() => string.Create(
            CultureInfo.InvariantCulture,
            $"pages {HeapMegabytes:0.0} MiB of script, {Nodes} nodes, {Listeners} listeners");
    }
}
