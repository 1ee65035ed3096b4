using System.ComponentModel;
using System.Diagnostics;
using System.Text.Json.Nodes;
using Gateway.Interop.FirstHour;
using Gateway.Interop.Scripts;
using Gateway.Testing;

namespace Gateway.Interop.Deploy;

/// <summary>The files by which the gateway is installed, and the programs that look at them.</summary>
internal static class DeployFiles
{
    public static string Compose { get; } = Path.Combine(Readme.Root(), "deploy", "compose");

    public static string Unit { get; } = Path.Combine(Readme.Root(), "deploy", "systemd", "gateway.service");

    /// <summary>Why the unit's test does not run; null where it does.</summary>
    public static string? SystemdMissing { get; } =
        Starts("systemd-analyze") ? null : "systemd-analyze is not here";

    /// <summary>Why the container's test does not run; null where it does.</summary>
    public static string? ContainerMissing { get; } =
        !Environment.IsPrivilegedProcess ? "tools/container.mjs needs root, for mounts"
        : !Starts("node") ? "node is not here"
        : MountedMissing;

    private static string? MountedMissing => Faults.MountedGateway.Missing;

    /// <summary>A YAML file, read by js-yaml.</summary>
    public static async Task<JsonNode> ReadAsync(string file)
    {
        (int code, string output, string error) = await Chart.RunAsync(
            "node", [Path.Combine(PeerFolder.Path, "openapi", "yaml.mjs"), file]);
        Assert.True(code == 0, error);
        return JsonNode.Parse(output)!;
    }

    /// <summary>One of tools/: some build the gateway anew.</summary>
    public static Task<(int Code, string Output, string Error)> ToolAsync(string script, params string[] arguments) =>
        Chart.RunAsync(
            "node", [Path.Combine(Readme.Root(), "tools", script), .. arguments], limit: Patience.OfBuild);

    private static bool Starts(string program)
    {
        try
        {
            ProcessStartInfo start = new(program, ["--version"])
            {
                RedirectStandardOutput = true,
                RedirectStandardError = true,
            };
            using Process process = Process.Start(start)!;
            process.WaitForExit();
            return process.ExitCode == 0;
        }
        catch (Win32Exception)
        {
            return false;
        }
    }
}
