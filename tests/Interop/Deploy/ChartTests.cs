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

    /// <summary>What the gateway takes over changes its file alone; another value of the rest is another pod.</summary>
    [PeerTheory(PeerProgram.Helm)]
    [InlineData("config.Limits.MaxSessions=6", false)]
    [InlineData("config.Users[0].Name=another", false)]
    [InlineData("config.Upstreams[0].EndpointUrl=opc.tcp://another:4840", false)]
    [InlineData("config.Log.Level=Debug", false)]
    [InlineData("config.PubSub.DataSets[0].Name=another", false)]
    [InlineData("config.PubSub.Connections[0].Address=mqtt://another", false)]
    [InlineData("config.PubSub.Connections=[]", true)]
    [InlineData("config.Limits.MaxMessageSizeBytes=1000000", true)]
    [InlineData("config.Log.Format=simple", true)]
    [InlineData("config.OpcUa.ApplicationName=another", true)]
    [InlineData("config.PubSub.PublisherId=another", true)]
    public async Task Settings_Changed_ChangeThePodOnlyWhereTheGatewayNeedsIt(string value, bool isAnotherPod)
    {
        string[] set = ["-f", Chart.ValuesOf("pubsub"), "--set", "config.Upstreams[0].Name=a"];
        (_, string before, _) = await Chart.TemplateAsync(set);
        (int code, string after, string error) = await Chart.TemplateAsync(
            [.. set, value.EndsWith("[]", StringComparison.Ordinal) ? "--set-json" : "--set", value]);
        Assert.True(code == 0, error);
        (string sumBefore, string sumAfter) = (SumOf(before), SumOf(after));

        Assert.NotEmpty(sumBefore);
        Assert.NotEqual(Chart.SettingsOf(before), Chart.SettingsOf(after));
        Assert.Equal(isAnotherPod, sumBefore != sumAfter);

        static string SumOf(string manifests) => ChecksumPattern().Match(manifests).Value;
    }

    /// <summary>Kubernetes brings a changed ConfigMap into folders, and never into a file mounted by subPath.</summary>
    [PeerTheory(PeerProgram.Helm)]
    [MemberData(nameof(Sets))]
    public async Task Settings_OfEachExample_AreMountedAsAFolder(string set)
    {
        string manifests = await Chart.RenderAsync(set);

        Assert.DoesNotContain("subPath:", manifests, StringComparison.Ordinal);
        Assert.Contains("{name: config, mountPath: /data/config, readOnly: true}", manifests, StringComparison.Ordinal);
        Assert.Contains(
            "{name: Config__Path, value: \"/data/config/appsettings.json\"}", manifests, StringComparison.Ordinal);
    }

    /// <summary>As the pod does: the rendered file in its folder, the rendered variables, no argument. Then the
    /// ConfigMap changes.</summary>
    [PeerFact(PeerProgram.Helm)]
    public async Task Minimal_StartedAsRendered_IsReadyAndTakesOverAnotherConfigMap()
    {
        (int port, int httpPort) = (FreePort.Next(), FreePort.Next());
        ConfigMapFolder settings = new(Path.Combine(folder.Path, "config"));
        string manifests = await RenderAsync("5");
        await settings.WriteAsync("appsettings.json", InFolder(Chart.SettingsOf(manifests)));

        await using GatewayProcess gateway = await GatewayProcess.StartTypedAsync(
            port, httpPort, Path.Combine(folder.Path, "state", "pki"), () =>
            {
                ProcessStartInfo start = new("dotnet", [GatewayProgram.Path]) { WorkingDirectory = folder.Path };
                foreach (Match variable in VariablePattern().Matches(manifests))
                    start.Environment[variable.Groups[1].Value] = InFolder(variable.Groups[2].Value);
                return start;
            });

        using HttpClient http = new() { BaseAddress = new($"http://127.0.0.1:{httpPort}") };
        Assert.Equal("ready", (await http.GetStringAsync("/readyz")).Trim());
        Assert.True(Directory.Exists(gateway.Pki));
        await settings.WriteAsync("appsettings.json", InFolder(Chart.SettingsOf(await RenderAsync("6"))));
        await gateway.WaitForLogAsync("read again (the file has changed)");
        Assert.Contains(
            "\ngateway_limit{limit=\"MaxSessions\"} 6\n", await http.GetStringAsync("/metrics"),
            StringComparison.Ordinal);
        Assert.Equal(0, await gateway.StopAsync());

        async Task<string> RenderAsync(string sessions) => (await Chart.TemplateAsync(
            "--set", $"config.OpcUa.Port={port}", "--set", $"config.Http.Port={httpPort}",
            "--set", $"config.Limits.MaxSessions={sessions}")).Output;
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
    public async Task LiveKeys_OfTheChart_AreThoseOfItsSchema()
    {
        JsonObject config = JsonNode.Parse(
            await File.ReadAllTextAsync(Path.Combine(Chart.Folder, "values.schema.json")))!
            ["properties"]!["config"]!.AsObject();

        Assert.Equal(
            LivePathsOf("", config),
            await File.ReadAllLinesAsync(Path.Combine(Chart.Folder, "files", "live-keys.txt")));
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

    /// <summary>The shortest paths below which all keys are live.</summary>
    private static IEnumerable<string> LivePathsOf(string above, JsonObject parent) =>
        parent["properties"] is not JsonObject properties
            ? []
            : properties.SelectMany(one => IsLive(one.Value!.AsObject())
                ? [above + one.Key]
                : LivePathsOf($"{above}{one.Key}:", one.Value!.AsObject()));

    private static bool IsLive(JsonObject value)
    {
        JsonObject owner = (value["items"] ?? value).AsObject();
        return owner["properties"] is not JsonObject below
            ? owner["x-live"] is not null
            : below.All(static one => IsLive(one.Value!.AsObject())) &&
                (owner["additionalProperties"] is not JsonObject own || IsLive(own));
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

    [GeneratedRegex(@"checksum/fixed-config: (\w+)", RegexOptions.CultureInvariant)]
    private static partial Regex ChecksumPattern();

    [GeneratedRegex("""- \{name: (\w+), value: "([^"]*)"\}""", RegexOptions.CultureInvariant)]
    private static partial Regex VariablePattern();

    [GeneratedRegex("""key: "([^"]+)", secret""", RegexOptions.CultureInvariant)]
    private static partial Regex SecretPattern();

    [GeneratedRegex(@"gateway_[a-z_]+", RegexOptions.CultureInvariant)]
    private static partial Regex MetricPattern();
}
