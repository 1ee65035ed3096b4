using System.Diagnostics;
using System.Text.Json;
using System.Text.RegularExpressions;
using Gateway.Interop.Scripts;

namespace Gateway.Interop.Metrics;

/// <summary>Dashboards, alerts and docs/metrics.md beside a real Prometheus that has scraped a gateway: no query is
/// wrong, and none asks for what the gateway does not have.</summary>
public sealed partial class DashboardTests(PrometheusFixture fixture) : IClassFixture<PrometheusFixture>
{
    /// <summary>Of HTTPS, which this gateway does not have, and of an upstream that is connected, or hot.</summary>
    private static readonly string[] Absent =
    [
        "gateway_http_tls_certificate_remaining_seconds", "gateway_upstream_active_server",
        "gateway_upstream_service_level", "gateway_upstream_silence_seconds", "gateway_upstream_standby_ready",
    ];

    private static readonly string Root = RepositoryFolder();

    public static TheoryData<string> Dashboards =>
    [
        .. Directory.GetFiles(Path.Combine(Root, "deploy/grafana/dashboards")).Select(path => Path.GetFileName(path)!),
    ];

    [PeerTheory(PeerProgram.Prometheus)]
    [MemberData(nameof(Dashboards))]
    public async Task Queries_OfEachPanel_HaveAnAnswer(string file)
    {
        PeerRequirement.Demand(PeerProgram.Prometheus);
        using JsonDocument dashboard = JsonDocument.Parse(
            await File.ReadAllTextAsync(Path.Combine(Root, "deploy/grafana/dashboards", file)));
        int seen = 0;
        foreach (JsonElement panel in dashboard.RootElement.GetProperty("panels").EnumerateArray())
        {
            if (!panel.TryGetProperty("targets", out JsonElement targets))
                continue;
            foreach (JsonElement target in targets.EnumerateArray())
            {
                string query = target.GetProperty("expr").GetString()!
                    .Replace("$instance", ".*", StringComparison.Ordinal)
                    .Replace("$__rate_interval", "10m", StringComparison.Ordinal);
                JsonElement answer = await fixture.Prometheus.GetAsync("query?query=" + Uri.EscapeDataString(query));
                // Nothing may be above 0.
                if (!query.Contains("> 0", StringComparison.Ordinal) &&
                    !Absent.Any(name => query.Contains(name, StringComparison.Ordinal)))
                    Assert.True(answer.GetProperty("result").GetArrayLength() > 0, $"{file}: {query} is empty");
                await AssertKnownAsync(query);
                seen++;
            }
        }

        Assert.True(seen > 3);
    }

    [PeerFact(PeerProgram.Prometheus)]
    public async Task Alerts_EachExpression_IsOfMetricsThatThereAre()
    {
        PeerRequirement.Demand(PeerProgram.Prometheus);
        string rules = await File.ReadAllTextAsync(Path.Combine(Root, "deploy/prometheus/alerts.yaml"));
        List<string> names = [.. Alert().Matches(rules).Select(match => match.Groups[1].Value)];

        foreach (Match match in Expression().Matches(rules))
        {
            await fixture.Prometheus.GetAsync("query?query=" + Uri.EscapeDataString(match.Groups[1].Value));
            await AssertKnownAsync(match.Groups[1].Value);
        }

        Assert.All(names, name => Assert.True(
            File.Exists(Path.Combine(Root, "docs/runbooks", name + ".md")), $"{name} has no page in docs/runbooks"));
        Assert.Equal(
            names.Order(),
            Directory.GetFiles(Path.Combine(Root, "docs/runbooks")).Select(Path.GetFileNameWithoutExtension)
                .Where(name => name != "README").Order());
    }

    [PeerTheory(PeerProgram.Prometheus)]
    [InlineData("check rules deploy/prometheus/alerts.yaml")]
    [InlineData("test rules deploy/prometheus/alerts.test.yaml")]
    public async Task Promtool_Alerts_Pass(string arguments)
    {
        PeerRequirement.Demand(PeerProgram.Prometheus);
        using Process promtool = Process.Start(new ProcessStartInfo("promtool", arguments)
        {
            WorkingDirectory = Root,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        })!;
        Task<string> output = promtool.StandardOutput.ReadToEndAsync();
        string errors = await promtool.StandardError.ReadToEndAsync();
        await promtool.WaitForExitAsync();

        Assert.True(promtool.ExitCode == 0, await output + errors);
    }

    [PeerFact(PeerProgram.Prometheus)]
    public async Task MetricsPage_EveryFamilyOfTheGateway_IsDescribed()
    {
        PeerRequirement.Demand(PeerProgram.Prometheus);
        string page = await File.ReadAllTextAsync(Path.Combine(Root, "docs/metrics.md"));
        using HttpClient http = new();
        string text = await http.GetStringAsync(new Uri($"http://127.0.0.1:{fixture.HttpPort}/metrics"));

        Assert.All(Help().Matches(text), match => Assert.Contains(
            $"| `{match.Groups[1].Value}` | ", page, StringComparison.Ordinal));
        Assert.All(Help().Matches(text), match => Assert.Contains(
            match.Groups[2].Value.Replace("|", "\\|", StringComparison.Ordinal), page, StringComparison.Ordinal));
    }

    [PeerFact]
    public async Task Dashboards_Files_AreAsTheScriptMakesThem()
    {
        PeerRequirement.Demand();
        using Process node = Process.Start(new ProcessStartInfo("node", "tools/dashboards.mjs --check")
        {
            WorkingDirectory = Root,
            RedirectStandardError = true,
        })!;
        string errors = await node.StandardError.ReadToEndAsync();
        await node.WaitForExitAsync();

        Assert.True(node.ExitCode == 0, errors);
    }

    private async Task AssertKnownAsync(string query)
    {
        using HttpClient http = new();
        string text = await http.GetStringAsync(new Uri($"http://127.0.0.1:{fixture.HttpPort}/metrics"));
        Assert.All(Metric().Matches(query).Where(match => !Absent.Contains(match.Value)), match => Assert.Contains(
            "# TYPE " + Series().Replace(match.Value, ""), text, StringComparison.Ordinal));
    }

    private static string RepositoryFolder()
    {
        string folder = AppContext.BaseDirectory;
        while (!File.Exists(Path.Combine(folder, "Gateway.sln")))
            folder = Path.GetDirectoryName(folder)!;
        return folder;
    }

    [GeneratedRegex("gateway_[a-z_]+")]
    private static partial Regex Metric();

    /// <summary>A histogram's series.</summary>
    [GeneratedRegex("_(bucket|count|sum)$")]
    private static partial Regex Series();

    [GeneratedRegex(@"- alert: (\w+)")]
    private static partial Regex Alert();

    [GeneratedRegex(@"^ +expr: (.+)$", RegexOptions.Multiline)]
    private static partial Regex Expression();

    [GeneratedRegex(@"^# HELP (\w+) (.+)$", RegexOptions.Multiline)]
    private static partial Regex Help();
}
