using System.Diagnostics;
using System.Reflection;

namespace Gateway.Interop.Scripts;

/// <summary>Where the node-opcua scripts are, and whether they can run here.</summary>
internal static class PeerFolder
{
    public static string Path { get; } = typeof(PeerFolder).Assembly
        .GetCustomAttributes<AssemblyMetadataAttribute>().Single(item => item.Key == "PeersFolder").Value!;

    public static string NodeSets => System.IO.Path.Combine(Path, "node_modules", "node-opcua-nodesets", "nodesets");

    /// <summary>What is missing, or null.</summary>
    public static string? Missing { get; } = FindMissing("", "node-opcua");

    /// <summary>The same, of the scripts in the folder openapi.</summary>
    public static string? OpenApiMissing { get; } = FindMissing("openapi", "openapi-typescript");

    public static string? NodeMissing =>
        HasNode() ? null : "node is not installed: the peers cannot run (README, Tests)";

    private static string? FindMissing(string folder, string package)
    {
        if (NodeMissing is { } missing)
            return missing;
        string place = System.IO.Path.Combine("tests/Interop/peers", folder).TrimEnd('/');
        return Directory.Exists(System.IO.Path.Combine(Path, folder, "node_modules", package))
            ? null
            : $"{package} is not installed: run 'npm ci' in {place} (README, Tests)";
    }

    private static bool HasNode()
    {
        try
        {
            ProcessStartInfo start = new("node", "--version") { RedirectStandardOutput = true };
            using Process node = Process.Start(start)!;
            node.WaitForExit();
            return node.ExitCode == 0;
        }
        catch (System.ComponentModel.Win32Exception)
        {
            return false;
        }
    }
}
