using System.Diagnostics;

namespace Gateway.Interop.Faults;

/// <summary>A test whose gateway sees mounts of its own. Where this machine permits none it is left out, but not in
/// CI.</summary>
[AttributeUsage(AttributeTargets.Method)]
internal sealed class MountFactAttribute : FactAttribute
{
    private static readonly Lazy<bool> CanMount = new(Try);

    public MountFactAttribute()
    {
        if (Environment.GetEnvironmentVariable("CI") is null && !CanMount.Value)
            Skip = "unshare and mount are missing or not permitted here";
    }

    private static bool Try()
    {
        try
        {
            ProcessStartInfo start = MountedGateway.Unshare("mount -t tmpfs tmpfs /tmp", ["true"]);
            start.RedirectStandardError = true;
            using Process process = Process.Start(start)!;
            process.WaitForExit();
            return process.ExitCode == 0;
        }
        catch (System.ComponentModel.Win32Exception)
        {
            return false;
        }
    }
}
