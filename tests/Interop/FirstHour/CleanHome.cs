using System.Diagnostics;
using System.Reflection;
using Gateway.Interop.Gateways;
using Gateway.Loadtest.Machine;
using Gateway.Testing;

namespace Gateway.Interop.FirstHour;

/// <summary>A new user: an empty home directory, a clone (links to this one, so that what is built is there), and
/// nothing of ours in the environment but two free ports.</summary>
internal sealed class CleanHome : IDisposable
{

    private static readonly string Configuration =
        typeof(CleanHome).Assembly.GetCustomAttribute<AssemblyConfigurationAttribute>()!.Configuration;

    private readonly TemporaryFolder folder = new();

    public CleanHome()
    {
        Clone = folder.Sub("home", "gateway");
        foreach (string entry in Directory.GetFileSystemEntries(Readme.Root()))
            File.CreateSymbolicLink(Path.Combine(Clone, Path.GetFileName(entry)), entry);
    }

    public TemporaryFolder Folder => folder;

    /// <summary>Where the user types.</summary>
    public string Clone { get; }

    public string Pki => Path.Combine(Clone, "pki");

    public int Port { get; } = FreePort.Next();

    public int HttpPort { get; } = FreePort.Next();

    /// <summary>A command of the README, with what is built instead of building it, and the ports of this test.
    /// </summary>
    public string Typed(string command, bool byRun = false) => command
        .Replace(
            Readme.RunCommand,
            byRun
                ? $"dotnet run --no-build -c {Configuration} --project src/Gateway --"
                : $"dotnet '{GatewayProgram.Path}'",
            StringComparison.Ordinal)
        .Replace("http://gateway:8080", $"http://localhost:{HttpPort}", StringComparison.Ordinal)
        .Replace("http://localhost:8080", $"http://localhost:{HttpPort}", StringComparison.Ordinal);

    public Task<GatewayProcess> StartAsync(string command, bool byRun = false) =>
        GatewayProcess.StartTypedAsync(Port, HttpPort, Pki, () => Shell("exec " + Typed(command, byRun)));

    /// <summary>Runs a command to its end.</summary>
    public async Task<(int ExitCode, string Output, string Error)> RunAsync(string command)
    {
        ProcessStartInfo start = Shell(Typed(command));
        start.RedirectStandardOutput = start.RedirectStandardError = true;
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
            Assert.Fail($"'{command}' did not end in {Patience.Limit}");
        }

        return (process.ExitCode, await output, await error);
    }

    public void Dispose() => folder.Dispose();

    public ProcessStartInfo Shell(string command)
    {
        ProcessStartInfo start = new("bash", ["-c", command]) { WorkingDirectory = Clone };
        start.Environment["HOME"] = Path.GetDirectoryName(Clone);
        start.Environment["OpcUa__Port"] = $"{Port}";
        start.Environment["Http__Port"] = $"{HttpPort}";
        start.Environment["DOTNET_CLI_TELEMETRY_OPTOUT"] = "1";
        start.Environment["DOTNET_SKIP_FIRST_TIME_EXPERIENCE"] = "1";
        start.Environment["DOTNET_NOLOGO"] = "1";
        return start;
    }
}
