using System.Diagnostics;

namespace Gateway.Interop.Metrics;

/// <summary>Debian's Prometheus and its promtool.</summary>
internal static class PrometheusProgram
{
    /// <summary>What is missing, or null.</summary>
    public static string? Missing { get; } = HasBoth()
        ? null
        : "prometheus is not installed: apt-get install prometheus (README, Tests)";

    private static bool HasBoth() => Has("prometheus") && Has("promtool");

    private static bool Has(string program)
    {
        try
        {
            ProcessStartInfo start = new(program, "--version")
            {
                RedirectStandardOutput = true,
                RedirectStandardError = true,
            };
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
