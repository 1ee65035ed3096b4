using System.Text.Json;
using Gateway.Interop.FirstHour;
using Gateway.Interop.Scripts;

namespace Gateway.Interop.Metrics;

/// <summary>Every panel and every alert, evaluated by a real Prometheus over a storm, the loss of an upstream and that
/// of a broker: none is empty or wrong, and the alerts that are about these tell of them.</summary>
public sealed class StormTests(StormFixture fixture) : IClassFixture<StormFixture>
{
    /// <summary>This gateway has no HTTPS.</summary>
    private const string WithoutHttps = "_tls_";

    [PeerFact(PeerProgram.Prometheus)]
    public async Task Panels_OfAllDashboards_HaveData()
    {
        PeerRequirement.Demand(PeerProgram.Mosquitto);
        List<string> empty = [];
        int seen = 0;
        foreach (string file in Directory.GetFiles(Path.Combine(Readme.Root(), "deploy/grafana/dashboards")))
        {
            foreach (string query in await QueriesOfAsync(file))
            {
                JsonElement answer = await fixture.SinceTheStartAsync(query);
                if (answer.GetProperty("result").GetArrayLength() == 0)
                    empty.Add($"{Path.GetFileName(file)}: {query}");
                seen++;
            }
        }

        Assert.True(seen > 80, $"{seen} queries");
        Assert.Empty(empty);
    }

    [PeerFact(PeerProgram.Prometheus)]
    public async Task Alerts_AllEvaluated_ThoseOfTheOutagesTell()
    {
        PeerRequirement.Demand(PeerProgram.Mosquitto);
        string[] expected = ["GatewayBrokerAway", "GatewayClientsRefused", "GatewayUpstreamDown"];
        JsonElement[] rules = await Eventually.IsAsync(
            async () => (await fixture.Prometheus.GetAsync("rules")).GetProperty("groups").EnumerateArray()
                .SelectMany(static group => group.GetProperty("rules").EnumerateArray()).ToArray(),
            rules => !expected.Except(rules
                .Where(static rule => rule.GetProperty("state").GetString() != "inactive")
                .Select(static rule => rule.GetProperty("name").GetString()!)).Any());

        Assert.All(rules, static rule => Assert.True(
            rule.GetProperty("health").GetString() == "ok", rule.GetRawText()));
        Assert.All(rules, static rule => Assert.False(
            string.IsNullOrEmpty(rule.GetProperty("labels").GetProperty("severity").GetString())));
    }

    /// <summary>The pictures of docs/dashboards are made so, by hand: DASHBOARD_PICTURES names their folder.</summary>
    [PeerFact(PeerProgram.Prometheus)]
    public async Task Pictures_OfAllDashboards_AreDrawn()
    {
        PeerRequirement.Demand(PeerProgram.Mosquitto);
        string folder = Environment.GetEnvironmentVariable("DASHBOARD_PICTURES") ?? fixture.Folder.Sub("pictures");

        (int code, string output, string error) = await Deploy.DeployFiles.ToolAsync(
            "dashboard-pictures.mjs", fixture.Prometheus.Address, folder, "--minutes=0.5");

        Assert.True(code == 0, output + error);
        string[] pictures = Directory.GetFiles(folder, "*.svg");
        Assert.Equal(6, pictures.Length);
        Assert.All(pictures, static picture => Assert.Contains(
            "<polyline", File.ReadAllText(picture), StringComparison.Ordinal));
    }

    private static async Task<List<string>> QueriesOfAsync(string file)
    {
        using JsonDocument dashboard = JsonDocument.Parse(await File.ReadAllTextAsync(file));
        return [.. dashboard.RootElement.GetProperty("panels").EnumerateArray()
            .Where(static panel => panel.TryGetProperty("targets", out _))
            .SelectMany(static panel => panel.GetProperty("targets").EnumerateArray())
            .Select(static target => target.GetProperty("expr").GetString()!
                .Replace("$instance", ".*", StringComparison.Ordinal)
                .Replace("$__rate_interval", "10m", StringComparison.Ordinal))
            .Where(static query => !query.Contains(WithoutHttps, StringComparison.Ordinal))];
    }
}
