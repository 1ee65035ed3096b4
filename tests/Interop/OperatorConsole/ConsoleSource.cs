using System.Diagnostics;
using System.Reflection;
using Gateway.Interop.Scripts;
using Gateway.Testing;

namespace Gateway.Interop.OperatorConsole;

/// <summary>The console's own folder, with the tools that its package names.</summary>
internal static class ConsoleSource
{
    public static string Path { get; } = typeof(ConsoleSource).Assembly
        .GetCustomAttributes<AssemblyMetadataAttribute>().Single(item => item.Key == "ConsoleFolder").Value!;

    /// <summary>What is missing, or null.</summary>
    public static string? Missing { get; } = FindMissing();

    /// <summary>Runs a script of package.json to its end.</summary>
    public static async Task<(int ExitCode, string Output)> RunAsync(string script)
    {
        ProcessStartInfo start = new("npm", ["run", "--silent", script])
        {
            WorkingDirectory = Path,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        start.Environment["NO_COLOR"] = "1";
        using Process process = Process.Start(start)!;
        Task<string> output = process.StandardOutput.ReadToEndAsync();
        Task<string> error = process.StandardError.ReadToEndAsync();
        try
        {
            await process.WaitForExitAsync().WaitAsync(Patience.Limit);
        }
        catch (TimeoutException)
        {
            process.Kill(entireProcessTree: true);
            throw;
        }

        return (process.ExitCode, await output + await error);
    }

    private static string? FindMissing()
    {
        if (PeerFolder.NodeMissing is { } missing)
            return missing;
        return File.Exists(System.IO.Path.Combine(Path, "dist", "files.txt"))
            ? null
            : "the console was not built: Node.js 20.19 or later with npm is needed (README, Console)";
    }
}
