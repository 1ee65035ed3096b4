using System.Diagnostics;
using Gateway.Interop.Admission;
using Gateway.Interop.Gateways;
using Gateway.Loadtest.Machine;

namespace Gateway.Interop.Faults;

/// <summary>A demo gateway whose PKI folder is a mount that it alone sees, and that goes with it.</summary>
internal static class MountedGateway
{
    /// <summary>Room for a few dozen files.</summary>
    public const string SmallDisk = "mount -t tmpfs -o size=256k tmpfs \"$PKI\"";

    public const string ReadOnly = "mount --bind \"$PKI\" \"$PKI\" && mount -o remount,bind,ro \"$PKI\"";

    public const string EmptyAndReadOnly = "mount -t tmpfs -o ro tmpfs \"$PKI\"";

    private static readonly Lazy<string?> Refusal = new(TryMount);

    /// <summary>Why there are no mounts here; null where there are.</summary>
    public static string? Missing => Refusal.Value;

    /// <param name="folder">The gateway's from here on.</param>
    /// <param name="mount">Shell commands; <c>$PKI</c> is the folder.</param>
    public static async Task<AdmissionGateway> StartAsync(TemporaryFolder folder, string mount)
    {
        int port = FreePort.Next();
        int httpPort = FreePort.Next();
        return AdmissionGateway.Of(folder, await GatewayProcess.StartTypedAsync(
            port, httpPort, PkiOf(folder), () => Command(folder, mount, port, httpPort)));
    }

    public static ProcessStartInfo Command(TemporaryFolder folder, string mount, int port, int httpPort)
    {
        ProcessStartInfo start = Unshare(mount, Arguments(PkiOf(folder), port, httpPort));
        start.Environment["PKI"] = PkiOf(folder);
        start.WorkingDirectory = folder.Path;
        return start;
    }

    /// <summary>A demo gateway's whole command.</summary>
    public static string[] Arguments(string pki, int port, int httpPort) =>
    [
        "dotnet", GatewayProgram.Path, "--demo", "--Simulator:Tags=10",
        "--OpcUa:Address=127.0.0.1", $"--OpcUa:Port={port}", "--Http:Address=127.0.0.1", $"--Http:Port={httpPort}",
        $"--Pki:Path={pki}",
    ];

    /// <summary>The command in a mount namespace of its own; without root's rights in a user namespace, too.</summary>
    public static ProcessStartInfo Unshare(string mount, string[] command) => new("unshare",
        [Environment.IsPrivilegedProcess ? "-m" : "-mr", "sh", "-c", mount + " && exec \"$0\" \"$@\"", .. command]);

    public static string PkiOf(TemporaryFolder folder) => folder.Sub("gateway", "pki");

    /// <summary>A file of the PKI folder as the gateway sees it.</summary>
    public static string Seen(GatewayProcess gateway, params string[] path) =>
        Path.Combine([$"/proc/{gateway.ProcessId}/root{gateway.Pki}", .. path]);

    private static string? TryMount()
    {
        try
        {
            ProcessStartInfo start = Unshare("mount -t tmpfs tmpfs /tmp", ["true"]);
            start.RedirectStandardError = true;
            using Process process = Process.Start(start)!;
            process.WaitForExit();
            return process.ExitCode == 0 ? null : "unshare and mount are not permitted here";
        }
        catch (System.ComponentModel.Win32Exception error)
        {
            return "unshare is missing: " + error.Message;
        }
    }
}
