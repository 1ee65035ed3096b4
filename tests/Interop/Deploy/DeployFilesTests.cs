using System.Text.Json.Nodes;
using System.Text.RegularExpressions;
using Gateway.Interop.FirstHour;
using Gateway.Interop.Scripts;

namespace Gateway.Interop.Deploy;

/// <summary>deploy/compose, deploy/systemd and the SBOM: valid, with few rights, and about the gateway that is there.
/// </summary>
public sealed partial class DeployFilesTests
{
    private const int GraceSecondsByDefault = 10;

    [PeerFact(PeerProgram.OpenApi)]
    public async Task Compose_EachService_HasFewRightsAndWhatItNames()
    {
        JsonObject compose = (await DeployFiles.ReadAsync(Path.Combine(DeployFiles.Compose, "compose.yaml")))
            .AsObject();
        JsonObject services = compose["services"]!.AsObject();
        string[] volumes = [.. compose["volumes"]!.AsObject().Select(static one => one.Key)];

        Assert.Equal(
            (string[])["broker", "gateway", "grafana", "prometheus"], services.Select(static one => one.Key).Order());
        Assert.All(services, service =>
        {
            Assert.Equal("ALL", (string?)service.Value!["cap_drop"]![0]);
            Assert.Equal("no-new-privileges:true", (string?)service.Value["security_opt"]![0]);
            Assert.All(service.Value["volumes"]!.AsArray(), one => AssertIsThere((string)one!, volumes));
        });
    }

    [PeerFact(PeerProgram.OpenApi)]
    public async Task Compose_Gateway_HasTheVolumesOfTheImageAndTimeToEnd()
    {
        JsonNode gateway = (await DeployFiles.ReadAsync(Path.Combine(DeployFiles.Compose, "compose.yaml")))
            ["services"]!["gateway"]!;
        string image = await File.ReadAllTextAsync(Path.Combine(Readme.Root(), "Dockerfile"));
        string[] places =
        [
            .. gateway["volumes"]!.AsArray().Select(static one => ((string)one!).Split(':')[1]),
        ];

        Assert.True((bool)gateway["read_only"]!);
        Assert.All(
            JsonNode.Parse(VolumePattern().Match(image).Groups[1].Value)!.AsArray(),
            volume => Assert.Contains((string)volume!, places));
        Assert.True(
            int.Parse(((string)gateway["stop_grace_period"]!).TrimEnd('s')) > GraceSecondsByDefault,
            "Docker would kill it while it ends");
    }

    /// <summary>The file and the variables together, as the container has them.</summary>
    [PeerFact(PeerProgram.OpenApi)]
    public async Task Compose_Configuration_IsTakenByTheGateway()
    {
        JsonObject variables = (await DeployFiles.ReadAsync(Path.Combine(DeployFiles.Compose, "compose.yaml")))
            ["services"]!["gateway"]!["environment"]!.AsObject();

        (int code, string output, string error) = await Chart.GatewayAsync(
            ["config", "check", Path.Combine(DeployFiles.Compose, "gateway", "appsettings.json")],
            // That of the container, which the check's own argument stands for.
            variables.Where(static one => one.Key != "Config__Path").ToDictionary(
                static one => one.Key, static one => DefaultPattern().Replace((string)one.Value!, "$1")));

        Assert.True(code == 0, output + error);
    }

    [PeerFact(PeerProgram.Prometheus)]
    public async Task Compose_Prometheus_TakesItsConfiguration()
    {
        (int code, string output, string error) = await Chart.RunAsync(
            "promtool", ["check", "config", "--syntax-only", Path.Combine(DeployFiles.Compose, "prometheus.yaml")]);

        Assert.True(code == 0, output + error);
    }

    [PeerFact(PeerProgram.Systemd)]
    public async Task Unit_SystemdAnalyze_FindsNothing()
    {
        (int code, string output, string error) = await Chart.RunAsync(
            "systemd-analyze", ["verify", DeployFiles.Unit]);

        Assert.True(code == 0 && !error.Contains("gateway.service", StringComparison.Ordinal), output + error);
    }

    [Fact]
    public async Task Unit_HasFewRightsAndTimeToEnd()
    {
        string unit = await File.ReadAllTextAsync(DeployFiles.Unit);
        int seconds = int.Parse(StopPattern().Match(unit).Groups[1].Value);

        Assert.True(seconds > GraceSecondsByDefault, "systemd would kill it while it ends");
        Assert.All(
            (string[])
            [
                "DynamicUser=yes", "ProtectSystem=strict", "NoNewPrivileges=yes", "StateDirectory=opcua-gateway",
                "CapabilityBoundingSet=", "LimitNOFILE=40000", "Environment=Pki__Path=/var/lib/opcua-gateway/pki",
            ],
            line => Assert.Contains(line + "\n", unit, StringComparison.Ordinal));
    }

    [PeerFact]
    public async Task Sbom_NamesEachDirectPackageWithItsVersion()
    {
        (int code, string output, string error) = await DeployFiles.ToolAsync("sbom.mjs");
        Assert.True(code == 0, error);
        JsonNode sbom = JsonNode.Parse(output)!;
        string versions = await File.ReadAllTextAsync(Path.Combine(Readme.Root(), "Directory.Packages.props"));
        string project = await File.ReadAllTextAsync(
            Path.Combine(Readme.Root(), "src", "Gateway", "Gateway.csproj"));
        string[] expected =
        [
            .. PackagePattern().Matches(project).Select(static one => one.Groups[1].Value)
                .Select(name => $"pkg:nuget/{name}@" + Regex.Match(
                    versions, $"Include=\"{Regex.Escape(name)}\" Version=\"([^\"]+)\"").Groups[1].Value),
        ];
        string?[] named = [.. sbom["components"]!.AsArray().Select(static one => (string?)one!["purl"])];

        Assert.Equal("CycloneDX", (string?)sbom["bomFormat"]);
        Assert.NotEmpty(expected);
        Assert.All(expected, package => Assert.Contains(package, named));
        Assert.All(
            sbom["components"]!.AsArray().Where(static one => one!["purl"] is not null),
            static one => Assert.Equal(128, ((string)one!["hashes"]![0]!["content"]!).Length));
    }

    private static void AssertIsThere(string volume, string[] volumes)
    {
        string source = volume.Split(':')[0];
        if (!source.StartsWith('.'))
            Assert.Contains(source, volumes);
        else
            Assert.True(Path.Exists(Path.Combine(DeployFiles.Compose, source)), $"{source} is not there");
    }

    [GeneratedRegex(@"^VOLUME (\[.*\])$", RegexOptions.CultureInvariant | RegexOptions.Multiline)]
    private static partial Regex VolumePattern();

    [GeneratedRegex(@"\$\{\w+:-([^}]*)\}", RegexOptions.CultureInvariant)]
    private static partial Regex DefaultPattern();

    [GeneratedRegex(@"^TimeoutStopSec=(\d+)$", RegexOptions.CultureInvariant | RegexOptions.Multiline)]
    private static partial Regex StopPattern();

    [GeneratedRegex("<PackageReference Include=\"([^\"]+)\"", RegexOptions.CultureInvariant)]
    private static partial Regex PackagePattern();
}
