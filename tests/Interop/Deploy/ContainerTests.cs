using System.Text.Json.Nodes;
using System.Text.RegularExpressions;
using Gateway.Interop.FirstHour;
using Gateway.Interop.Gateways;
using Gateway.Interop.Scripts;
using Gateway.Loadtest.Machine;

namespace Gateway.Interop.Deploy;

/// <summary>The Dockerfile's steps taken by tools/container.mjs, and its result as Docker would start it.</summary>
public sealed partial class ContainerTests : IDisposable
{
    /// <summary>What docs/install.md says.</summary>
    private const long MostBytes = 16_000_000;

    private readonly TemporaryFolder folder = new();

    public void Dispose() => folder.Dispose();

    [PeerFact(PeerProgram.Container)]
    public async Task Image_BuiltAndStarted_IsReadyWithoutRights()
    {
        string image = folder.Sub("image");
        (int code, string output, string error) =
            await DeployFiles.ToolAsync("container.mjs", "build", image, "AHEAD_OF_TIME=false");
        Assert.True(code == 0, output + error);
        (int port, int httpPort) = (FreePort.Next(), FreePort.Next());
        string[] variables = ["--env", $"OpcUa__Port={port}", "--env", $"Http__Port={httpPort}"];

        await using GatewayProcess gateway = await GatewayProcess.StartTypedAsync(
            port, httpPort, Path.Combine(image, "volumes", "data", "pki"),
            () => new("node", [Script, "run", image, .. variables]));

        using HttpClient http = new() { BaseAddress = new($"http://127.0.0.1:{httpPort}") };
        Assert.Equal("ready", (await http.GetStringAsync("/readyz")).Trim());
        await AssertHasFewRightsAsync(ProcessPattern().Match(gateway.Output).Groups[1].Value);
        Assert.Single(Directory.GetFiles(Path.Combine(gateway.Pki, "own", "certs")));
        JsonNode facts = JsonNode.Parse(await File.ReadAllTextAsync(Path.Combine(image, "image.json")))!;
        string[] health = [.. facts["health"]!.AsArray().Select(static one => (string)one!)];
        (code, output, error) =
            await DeployFiles.ToolAsync("container.mjs", ["run", image, .. variables, "--entry", .. health]);
        Assert.True(code == 0, output + error);
        Assert.True(BytesOf((string)facts["root"]!) < MostBytes, "docs/install.md says another size");
        Assert.Equal(0, await gateway.StopAsync());
        (code, _, _) =
            await DeployFiles.ToolAsync("container.mjs", ["run", image, .. variables, "--entry", .. health]);
        Assert.Equal(1, code);
    }

    private static string Script => Path.Combine(Readme.Root(), "tools", "container.mjs");

    private static async Task AssertHasFewRightsAsync(string process)
    {
        string status = await File.ReadAllTextAsync($"/proc/{process}/status");
        string mounts = await File.ReadAllTextAsync($"/proc/{process}/mountinfo");

        Assert.Contains("Uid:\t1654\t1654\t1654\t1654\n", status, StringComparison.Ordinal);
        Assert.Contains("NoNewPrivs:\t1\n", status, StringComparison.Ordinal);
        Assert.Contains("CapEff:\t0000000000000000\n", status, StringComparison.Ordinal);
        Assert.Matches(@" / ro,", mounts);
    }

    private static long BytesOf(string place) => Directory
        .EnumerateFiles(Path.Combine(place, "app"), "*", SearchOption.AllDirectories)
        .Sum(static file => new FileInfo(file).Length);

    [GeneratedRegex(@"^process (\d+)$", RegexOptions.CultureInvariant | RegexOptions.Multiline)]
    private static partial Regex ProcessPattern();
}
