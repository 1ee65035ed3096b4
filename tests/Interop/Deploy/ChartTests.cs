using System.Diagnostics;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using System.Text.Json.Nodes;
using System.Text.RegularExpressions;
using Gateway.Interop.FirstHour;
using Gateway.Interop.Gateways;
using Gateway.Interop.Scripts;
using Gateway.Loadtest.Machine;

namespace Gateway.Interop.Deploy;

/// <summary>The Helm chart: what it renders is valid, starts the gateway, and leaves no secret where it can be read.
/// </summary>
public sealed partial class ChartTests : IDisposable
{
    private readonly TemporaryFolder folder = new();

    public static TheoryData<string> Sets { get; } =
        ["minimal", "production", "upstreams", "pubsub", "cert-manager", "air-gapped"];

    public void Dispose() => folder.Dispose();

    [PeerTheory(PeerProgram.Helm)]
    [MemberData(nameof(Sets))]
    public async Task Values_OfEachExample_AreCleanAndMakeValidManifests(string set)
    {
        (int code, string output, _) = await Chart.HelmAsync(
            "lint", "--strict", "--kube-version", "1.34.0", Chart.Folder, "-f", Chart.ValuesOf(set));
        Assert.True(code == 0, output);
        string file = Path.Combine(folder.Path, "manifests.yaml");
        await File.WriteAllTextAsync(file, await Chart.RenderAsync(set));

        (code, output, string error) = await Chart.CheckManifestsAsync(file);

        Assert.True(code == 0, output + error);
    }

    [PeerTheory(PeerProgram.Helm)]
    [MemberData(nameof(Sets))]
    public async Task Settings_OfEachExample_AreTakenByTheGateway(string set)
    {
        string manifests = await Chart.RenderAsync(set);
        string file = Path.Combine(folder.Path, "appsettings.json");
        await File.WriteAllTextAsync(file, InFolder(Chart.SettingsOf(manifests)));
        Mount();
        Dictionary<string, string> environment = await SecretsOfAsync(set);

        (int code, string output, string error) = await Chart.GatewayAsync(["config", "check", file], environment);

        Assert.True(code == 0, output + error);
        Assert.All(environment.Keys, name => Assert.Contains($"- name: {name}\n", manifests, StringComparison.Ordinal));
    }

    [PeerTheory(PeerProgram.Helm)]
    [InlineData("config.Limits.MaxSesions=5", "MaxSesions")]
    [InlineData("config.Users[0].Password=x", "Password")]
    [InlineData("config.Upstreams[0].Password=x", "Password")]
    [InlineData("servise.type=NodePort", "servise")]
    [InlineData("service.type=Nodeport", "service.type")]
    [InlineData("mounts[0].name=x", "mounts.0")]
    public async Task Values_Wrong_AreRefusedWithTheirName(string value, string named)
    {
        (int code, _, string error) = await Chart.TemplateAsync("--set", value);

        Assert.NotEqual(0, code);
        Assert.Contains(named, error, StringComparison.Ordinal);
    }

    /// <summary>The restricted level of the Pod Security Standards, for the gateway and for the test's pod.</summary>
    [PeerTheory(PeerProgram.Helm)]
    [MemberData(nameof(Sets))]
    public async Task Pods_OfEachExample_HaveNoRights(string set)
    {
        string manifests = await Chart.RenderAsync(set);
        string[] pods =
        [
            .. manifests.Split("\n---\n")
                .Where(static one => one.Contains("containers:", StringComparison.Ordinal)),
        ];

        Assert.Equal(2, pods.Length);
        Assert.All(pods, pod => Assert.All(
            (string[])
            [
                "runAsNonRoot: true", "allowPrivilegeEscalation: false", "readOnlyRootFilesystem: true",
                "capabilities: {drop: [ALL]}", "seccompProfile: {type: RuntimeDefault}",
                "automountServiceAccountToken: false",
            ],
            line => Assert.Contains(line, pod, StringComparison.Ordinal)));
    }

    [PeerFact(PeerProgram.Helm)]
    public async Task Pod_IsToldAndEnds_WithinTheTimeThatKubernetesGives()
    {
        string manifests = await Chart.RenderAsync("production");

        Assert.Contains("terminationGracePeriodSeconds: 30\n", manifests, StringComparison.Ordinal);
        Assert.Contains("\"GraceSeconds\": 20", Chart.SettingsOf(manifests), StringComparison.Ordinal);
    }

    /// <summary>Another configuration is another pod.</summary>
    [PeerFact(PeerProgram.Helm)]
    public async Task Settings_Changed_ChangeThePod()
    {
        string[] sums =
        [
            .. await Task.WhenAll(((string[])["5", "6"]).Select(async limit => ChecksumPattern().Match(
                (await Chart.TemplateAsync("--set", "config.Limits.MaxSessions=" + limit)).Output).Value)),
        ];

        Assert.NotEmpty(sums[0]);
        Assert.NotEqual(sums[0], sums[1]);
    }

    /// <summary>As the pod does: the rendered file in the working directory, the rendered variables, no argument.
    /// </summary>
    [PeerFact(PeerProgram.Helm)]
    public async Task Minimal_StartedAsRendered_IsReady()
    {
        (int port, int httpPort) = (FreePort.Next(), FreePort.Next());
        (_, string manifests, _) = await Chart.TemplateAsync(
            "--set", $"config.OpcUa.Port={port}", "--set", $"config.Http.Port={httpPort}");
        await File.WriteAllTextAsync(
            Path.Combine(folder.Path, "appsettings.json"), InFolder(Chart.SettingsOf(manifests)));

        await using GatewayProcess gateway = await GatewayProcess.StartTypedAsync(
            port, httpPort, Path.Combine(folder.Path, "state", "pki"), () =>
            {
                ProcessStartInfo start = new("dotnet", [Chart.Program]) { WorkingDirectory = folder.Path };
                foreach (Match variable in VariablePattern().Matches(manifests))
                    start.Environment[variable.Groups[1].Value] = InFolder(variable.Groups[2].Value);
                return start;
            });

        using HttpClient http = new() { BaseAddress = new($"http://127.0.0.1:{httpPort}") };
        Assert.Equal("ready", (await http.GetStringAsync("/readyz")).Trim());
        Assert.True(Directory.Exists(gateway.Pki));
        Assert.Equal(0, await gateway.StopAsync());
    }

    /// <summary>If this fails: <c>dotnet run --project src/Gateway -- config schema --without-secrets | node
    /// tools/chart-schema.mjs</c>.</summary>
    [Fact]
    public async Task Schema_OfTheChart_HasTheKeysOfTheGateway()
    {
        (int code, string output, string error) = await Chart.GatewayAsync(["config", "schema", "--without-secrets"]);
        Assert.True(code == 0, error);
        JsonObject keys = JsonNode.Parse(output)!.AsObject();
        JsonObject chart = JsonNode.Parse(
            await File.ReadAllTextAsync(Path.Combine(Chart.Folder, "values.schema.json")))!
            ["properties"]!["config"]!.AsObject();

        keys.Remove("$schema");
        chart.Remove("description");
        Assert.True(JsonNode.DeepEquals(keys, chart), "tools/chart-schema.mjs brings the chart's schema up to date");
    }

    [Fact]
    public async Task Readme_OfTheChart_HasEachValueOfTheSchema()
    {
        string readme = await File.ReadAllTextAsync(Path.Combine(Chart.Folder, "README.md"));
        JsonObject values = JsonNode.Parse(
            await File.ReadAllTextAsync(Path.Combine(Chart.Folder, "values.schema.json")))!["properties"]!.AsObject();

        Assert.All(PathsOf("", values), path => Assert.Contains($"\n| `{path}` | ", readme, StringComparison.Ordinal));
    }

    /// <summary>An alert about a metric that is not there never fires.</summary>
    [Fact]
    public async Task Alerts_Metrics_AreThoseOfTheCode()
    {
        string alerts = await File.ReadAllTextAsync(Path.Combine(Chart.Folder, "files", "alerts.yaml"));
        string code = string.Concat(await Task.WhenAll(
            Directory.GetFiles(Path.Combine(Readme.Root(), "src"), "*.cs", SearchOption.AllDirectories)
                .Select(static file => File.ReadAllTextAsync(file))));
        string[] metrics = [.. MetricPattern().Matches(alerts)
            .Select(static one => one.Value.Replace("_bucket", "", StringComparison.Ordinal)).Distinct()];

        Assert.NotEmpty(metrics);
        Assert.All(metrics, metric => Assert.Contains($"\"{metric}\"", code, StringComparison.Ordinal));
    }

    private static IEnumerable<string> PathsOf(string above, JsonObject properties) => properties.SelectMany(one =>
        one.Key != "config" && one.Value!["properties"] is JsonObject below
            ? PathsOf($"{above}{one.Key}.", below)
            : [above + one.Key]);

    /// <summary>A value for each variable that a Secret gives.</summary>
    private static async Task<Dictionary<string, string>> SecretsOfAsync(string set)
    {
        string values = await File.ReadAllTextAsync(Chart.ValuesOf(set));
        string hash = await Chart.HashAsync();
        return SecretPattern().Matches(values)
            .Select(static one => one.Groups[1].Value.Replace(":", "__", StringComparison.Ordinal))
            .ToDictionary(
                static name => name, name => name.EndsWith("Hash", StringComparison.Ordinal) ? hash : "secret");
    }

    /// <summary>What Secrets and ConfigMaps bring: a certificate of the HTTP door, a folder of NodeSets.</summary>
    private void Mount()
    {
        Directory.CreateDirectory(Path.Combine(folder.Path, "mounts", "nodesets"));
        string tls = Directory.CreateDirectory(Path.Combine(folder.Path, "http-tls")).FullName;
        DateTimeOffset now = TimeProvider.System.GetUtcNow();
        using ECDsa key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        using X509Certificate2 certificate = new CertificateRequest("CN=gateway", key, HashAlgorithmName.SHA256)
            .CreateSelfSigned(now.AddDays(-1), now.AddDays(1));
        File.WriteAllText(Path.Combine(tls, "tls.crt"), certificate.ExportCertificatePem());
        File.WriteAllText(Path.Combine(tls, "tls.key"), key.ExportPkcs8PrivateKeyPem());
    }

    private string InFolder(string text) => text.Replace("/data/", folder.Path + "/", StringComparison.Ordinal);

    [GeneratedRegex(@"checksum/config: (\w+)", RegexOptions.CultureInvariant)]
    private static partial Regex ChecksumPattern();

    [GeneratedRegex("""- \{name: (\w+), value: "([^"]*)"\}""", RegexOptions.CultureInvariant)]
    private static partial Regex VariablePattern();

    [GeneratedRegex("""key: "([^"]+)", secret""", RegexOptions.CultureInvariant)]
    private static partial Regex SecretPattern();

    [GeneratedRegex(@"gateway_[a-z_]+", RegexOptions.CultureInvariant)]
    private static partial Regex MetricPattern();
}
