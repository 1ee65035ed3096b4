using System.Diagnostics;
using System.Text;
using System.Text.Json;
using Gateway.Testing;

namespace Gateway.Tests.Rest;

/// <summary>Node-RED as a process of its own, without its editor: it runs a flow, and its debug nodes write to standard
/// output.</summary>
internal static class NodeRed
{
    private const string Settings = """
        module.exports = {
          credentialSecret: false, flowFile: "flow.json", uiHost: "127.0.0.1", uiPort: 0,
          httpAdminRoot: false, httpNodeRoot: false,
        };
        """;

    /// <summary>All that it wrote until a debug node showed something.</summary>
    /// <param name="flow">As exported.</param>
    /// <param name="node">That has a login.</param>
    /// <param name="user">Its user.</param>
    /// <param name="password">Its password.</param>
    public static async Task<string> RunUntilItShowsAsync(string flow, string node, string user, string password)
    {
        var folder = Directory.CreateTempSubdirectory("node-red");
        try
        {
            await WriteAsync(folder, "settings.js", Settings);
            await WriteAsync(folder, "flow.json", flow);
            await WriteAsync(folder, "flow_cred.json", JsonSerializer.Serialize(
                new Dictionary<string, object> { [node] = new { user, password } }));
            return await RunAsync(folder);
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }

    private static Task WriteAsync(DirectoryInfo folder, string name, string text) =>
        File.WriteAllTextAsync(Path.Combine(folder.FullName, name), text);

    private static async Task<string> RunAsync(DirectoryInfo folder)
    {
        using var process = Process.Start(new ProcessStartInfo("node-red")
        {
            ArgumentList =
            {
                "--userDir", folder.FullName, "--settings", Path.Combine(folder.FullName, "settings.js"),
            },
            WorkingDirectory = folder.FullName,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        })!;
        try
        {
            _ = process.StandardError.ReadToEndAsync();
            var all = new StringBuilder();
            while (await process.StandardOutput.ReadLineAsync().WaitAsync(Patience.Limit) is { } line)
            {
                all.AppendLine(line);
                if (line.Contains("[debug:", StringComparison.Ordinal))
                    break;
            }

            return all.ToString();
        }
        finally
        {
            process.Kill(entireProcessTree: true);
            await process.WaitForExitAsync();
        }
    }
}
