using System.Diagnostics;
using System.Globalization;
using System.Text.Json;
using Gateway.Loadtest.Machine;
using Gateway.Testing;

namespace Gateway.Interop.Metrics;

/// <summary>A real Prometheus on a loopback port with a folder of its own, ended by its own id. It scrapes two jobs by
/// the relay: <c>open</c> and <c>text</c>.</summary>
internal sealed class PrometheusServer : IAsyncDisposable
{
    private readonly ChildProcess process;
    private readonly HttpClient api;

    private PrometheusServer(ChildProcess process, HttpClient api) => (this.process, this.api) = (process, api);

    /// <summary>Its address, for tools.</summary>
    public string Address => api.BaseAddress!.GetLeftPart(UriPartial.Authority);

    public string Output => process.Output;

    /// <param name="folder">For its files.</param>
    /// <param name="gatewayPort">Where a gateway has its metrics.</param>
    /// <param name="rules">A file of alerts.</param>
    public static PrometheusServer StartOn(TemporaryFolder folder, int gatewayPort, string rules) => StartBy(
        folder,
        $$"""
        global:
          scrape_interval: 1s
          scrape_timeout: 1s
          evaluation_interval: 1s
        rule_files: ["{{rules}}"]
        scrape_configs:
          - job_name: gateway
            static_configs: [{ targets: ["127.0.0.1:{{gatewayPort}}"] }]
        """);

    public static PrometheusServer Start(TemporaryFolder folder, int relayPort) => StartBy(
        folder,
        $$"""
        global:
          scrape_interval: 2s
          scrape_timeout: 2s
        scrape_configs:
          - job_name: open
            metrics_path: /open
            static_configs: [{ targets: ["127.0.0.1:{{relayPort}}"] }]
          - job_name: text
            metrics_path: /text
            static_configs: [{ targets: ["127.0.0.1:{{relayPort}}"] }]
        """);

    private static PrometheusServer StartBy(TemporaryFolder folder, string settings)
    {
        string home = folder.Sub("prometheus");
        string configuration = Path.Combine(home, "prometheus.yml");
        File.WriteAllText(configuration, settings);
        int port = FreePort.Next();
        ChildProcess process = new(
            new ProcessStartInfo("prometheus",
            [
                $"--config.file={configuration}", $"--storage.tsdb.path={Path.Combine(home, "data")}",
                $"--web.listen-address=127.0.0.1:{port}", "--log.level=info",
            ])
            { WorkingDirectory = home },
            _ => { });
        return new(process, new HttpClient { BaseAddress = new Uri($"http://127.0.0.1:{port}/api/v1/") });
    }

    /// <summary>The one value of each job; fails when there are more or none comes.</summary>
    /// <param name="query">With <c>@</c> for the label match of the job.</param>
    public async Task<(double Open, double Text)> ValueAsync(string query) =>
        (await ValueAsync(query, "open"), await ValueAsync(query, "text"));

    /// <summary>Ends when the value of each job is that large.</summary>
    public async Task AwaitAsync(string query, double atLeast)
    {
        using CancellationTokenSource patience = new(Patience.Limit);
        using PeriodicTimer look = new(TimeSpan.FromMilliseconds(200));
        while (await ValueAsync(query) is var (open, text) && (open < atLeast || text < atLeast))
            await look.WaitForNextTickAsync(patience.Token);
    }

    public async Task<JsonElement> GetAsync(string path)
    {
        using HttpResponseMessage answer = await api.GetAsync(path);
        string body = await answer.Content.ReadAsStringAsync();
        Assert.True(answer.IsSuccessStatusCode, $"{path}: {body}");
        using JsonDocument document = JsonDocument.Parse(body);
        Assert.Equal("success", document.RootElement.GetProperty("status").GetString());
        return document.RootElement.GetProperty("data").Clone();
    }

    /// <summary>Stops it and hands out its log.</summary>
    public async Task<string> StopAsync()
    {
        await process.StopAsync();
        return process.Output;
    }

    public async ValueTask DisposeAsync()
    {
        await process.DisposeAsync();
        api.Dispose();
    }

    private async Task<double> ValueAsync(string query, string job)
    {
        string text = query.Replace("@", $"job=\"{job}\"", StringComparison.Ordinal);
        // Behind a scrape that ran into its time-out there is none until the next.
        JsonElement result = await Eventually.IsAsync(
            async () => (await GetAsync("query?query=" + Uri.EscapeDataString(text))).GetProperty("result"),
            static result => result.GetArrayLength() > 0);
        Assert.True(result.GetArrayLength() == 1, $"{text}: {result}");
        return double.Parse(result[0].GetProperty("value")[1].GetString()!, CultureInfo.InvariantCulture);
    }
}
