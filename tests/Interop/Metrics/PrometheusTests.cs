using System.Diagnostics;
using System.Net.Http.Headers;
using System.Text;
using System.Text.Json;
using Gateway.Interop.Scripts;

namespace Gateway.Interop.Metrics;

/// <summary>What a real Prometheus makes of <c>/metrics</c>, in both formats.</summary>
public sealed class PrometheusTests(PrometheusFixture fixture) : IClassFixture<PrometheusFixture>
{
    /// <summary>A source has the name that the operator gave it.</summary>
    private static readonly string[] Labels =
    [
        "__name__", "job", "instance", "le", "service", "status", "event", "reason", "stage", "generation", "version",
        "limit", "server_port", "driver", "source", "state", "upstream", "bound", "connection", "group", "store",
        "reader", "problem", "route", "method", "severity", "kind", "budget", "cause", "outcome",
    ];

    [PeerFact(PeerProgram.Prometheus)]
    public async Task Targets_BothFormats_UpWithoutError()
    {
        Demand();
        // A machine that stands still for as long as a scrape may take makes one an error.
        JsonElement targets = await Eventually.IsAsync(
            async () => (await fixture.Prometheus.GetAsync("targets?state=active")).GetProperty("activeTargets"),
            static targets => targets.EnumerateArray().All(static target =>
                target.GetProperty("lastError").GetString() == "" && target.GetProperty("health").GetString() == "up"));

        Assert.Equal(2, targets.GetArrayLength());
        Assert.Equal(
            [
                "application/openmetrics-text; version=1.0.0; charset=utf-8",
                "text/plain; version=0.0.4; charset=utf-8",
            ],
            fixture.Relay!.ContentTypes.Order());
    }

    [PeerFact(PeerProgram.Prometheus)]
    public async Task Values_OneSession_AsTheyAre()
    {
        Demand();
        PrometheusServer prometheus = fixture.Prometheus;

        Assert.Equal((1, 1), await prometheus.ValueAsync("gateway_server_activated_sessions{@}"));
        // The group of PubSub has one of its own.
        Assert.Equal((2, 2), await prometheus.ValueAsync("gateway_subscriptions{@}"));
        Assert.Equal((1, 1), await prometheus.ValueAsync(
            "gateway_server_requests_total{@, service=\"CreateSubscription\"}"));
        Assert.Equal((1, 1), await prometheus.ValueAsync("gateway_build_info{@}"));
        AssertBoth(await prometheus.ValueAsync("gateway_admission_limit{@, stage=\"create_session\"}"), 1, 1e6);
        AssertBoth(await prometheus.ValueAsync("gateway_process_resident_memory_bytes{@}"), 1e7, 1e10);
        AssertBoth(await prometheus.ValueAsync("gateway_process_open_descriptors{@}"), 10, 1e5);
        AssertBoth(await prometheus.ValueAsync("time() - gateway_process_start_time_seconds{@}"), 0, 3_600);
        AssertBoth(await prometheus.ValueAsync("rate(gateway_notifications_total{@}[10m])"), 1e-6, 1_000);
        AssertBoth(await prometheus.ValueAsync("sum(gateway_admission_shed_total{@})"), 0, 0);
        // A second set of counters with the same names hid the gateway's own.
        AssertBoth(await prometheus.ValueAsync("gateway_received_bytes_total{@}"), 1_000, 1e8);
        AssertBoth(await prometheus.ValueAsync("gateway_sent_bytes_total{@}"), 1_000, 1e8);
    }

    [PeerFact(PeerProgram.Prometheus)]
    public async Task Histogram_Lateness_GivesQuantiles()
    {
        Demand();
        PrometheusServer prometheus = fixture.Prometheus;
        const string lateness = "gateway_publish_lateness_seconds";

        AssertBoth(await prometheus.ValueAsync($"{lateness}_count{{@}}"), 3, 1e6);
        AssertBoth(await prometheus.ValueAsync(
            $"histogram_quantile(0.99, rate({lateness}_bucket{{@}}[10m]))"), 0, 5);
        Assert.Equal((0, 0), await prometheus.ValueAsync(
            $"{lateness}_count{{@}} - ignoring(le) {lateness}_bucket{{@, le=\"+Inf\"}}"));
        (double open, double text) = await prometheus.ValueAsync($"count({lateness}_bucket{{@}})");
        Assert.Equal((13, 13), (open, text));
    }

    [PeerTheory(PeerProgram.Prometheus)]
    [InlineData("open")]
    [InlineData("text")]
    public async Task Metadata_EveryFamily_HasTypeAndHelp(string job)
    {
        Demand();
        JsonElement families = await fixture.Prometheus.GetAsync(
            "targets/metadata?match_target=" + Uri.EscapeDataString($"{{job=\"{job}\"}}"));

        Assert.NotEqual(0, families.GetArrayLength());
        Assert.All(families.EnumerateArray(), family =>
        {
            string name = family.GetProperty("metric").GetString()!;
            Assert.StartsWith("gateway_", name, StringComparison.Ordinal);
            Assert.Contains(family.GetProperty("type").GetString(), new[] { "counter", "gauge", "histogram" });
            Assert.NotEqual("", family.GetProperty("help").GetString());
            if (job == "open" && name.EndsWith("_seconds", StringComparison.Ordinal))
                Assert.Equal("seconds", family.GetProperty("unit").GetString());
        });
    }

    [PeerFact(PeerProgram.Prometheus)]
    public async Task Labels_All_NameNoNodeSessionOrAddress()
    {
        Demand();
        JsonElement labels = await fixture.Prometheus.GetAsync(
            "labels?match[]=" + Uri.EscapeDataString("{__name__=~\"gateway_.*\"}"));

        Assert.All(labels.EnumerateArray(), label => Assert.Contains(label.GetString(), Labels));
    }

    [PeerFact(PeerProgram.Prometheus)]
    public async Task Log_AfterManyScrapes_WithoutWarning()
    {
        Demand();
        await fixture.Relay!.ScrapesAsync(1);

        Assert.Contains("Server is ready", fixture.Prometheus.Output, StringComparison.Ordinal);
        Assert.DoesNotContain("level=warn", fixture.Prometheus.Output, StringComparison.Ordinal);
        Assert.DoesNotContain("level=error", fixture.Prometheus.Output, StringComparison.Ordinal);
    }

    [PeerFact(PeerProgram.Prometheus)]
    public async Task Promtool_CheckMetrics_FindsNothing()
    {
        Demand();
        using HttpClient http = new();
        string text = await http.GetStringAsync(new Uri($"http://127.0.0.1:{fixture.HttpPort}/metrics"));
        using Process promtool = Process.Start(new ProcessStartInfo("promtool", ["check", "metrics"])
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        })!;
        Task<string> output = promtool.StandardOutput.ReadToEndAsync();
        Task<string> errors = promtool.StandardError.ReadToEndAsync();
        await promtool.StandardInput.WriteAsync(text);
        promtool.StandardInput.Close();
        await promtool.WaitForExitAsync();

        Assert.Equal("", await output + await errors);
        Assert.Equal(0, promtool.ExitCode);
    }

    [PeerFact(PeerProgram.Prometheus)]
    public async Task Admission_AsUser_SaysWhatPrometheusCounts()
    {
        Demand();
        using HttpClient http = new() { BaseAddress = new Uri($"http://127.0.0.1:{fixture.HttpPort}/api/v1/") };
        http.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue(
            "Basic", Convert.ToBase64String(Encoding.UTF8.GetBytes("anna:horse")));

        using JsonDocument report = JsonDocument.Parse(
            await http.GetStringAsync(new Uri("admission", UriKind.Relative)));
        using JsonDocument decisions = JsonDocument.Parse(
            await http.GetStringAsync(new Uri("admission/decisions", UriKind.Relative)));

        JsonElement session = report.RootElement.GetProperty("stages").EnumerateArray()
            .Single(stage => stage.GetProperty("stage").GetString() == "create_session");
        Assert.Equal(1, session.GetProperty("inUse").GetInt32());
        Assert.Equal("MaxSessions", session.GetProperty("limit").GetProperty("name").GetString());
        JsonElement client = Assert.Single(
            report.RootElement.GetProperty("busiest").GetProperty("certificates").EnumerateArray());
        Assert.Equal("127.0.0.2", client.GetProperty("address").GetString());
        Assert.Equal(0, decisions.RootElement.GetProperty("total").GetInt32());
    }

    private static void Demand() => PeerRequirement.Demand(PeerProgram.Prometheus);

    private static void AssertBoth((double Open, double Text) values, double least, double most)
    {
        Assert.InRange(values.Open, least, most);
        Assert.InRange(values.Text, least, most);
    }
}
