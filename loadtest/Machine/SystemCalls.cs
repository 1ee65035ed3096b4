using System.Diagnostics;
using System.Globalization;

namespace Gateway.Loadtest.Machine;

/// <summary>System calls of a process while something runs, by <c>perf stat</c>, which only counts and so hardly slows
/// it. NaN where perf is missing or not allowed to.</summary>
internal sealed class SystemCalls : IDisposable
{
    private const string AllCalls = "raw_syscalls:sys_enter";

    private readonly Process? _perf;

    private SystemCalls(Process? perf) => _perf = perf;

    /// <param name="processId">0: nothing is counted.</param>
    public static SystemCalls Start(int processId)
    {
        if (processId <= 0)
            return new SystemCalls(null);
        try
        {
            return new SystemCalls(Process.Start(new ProcessStartInfo("perf")
            {
                ArgumentList =
                {
                    "stat", "-x,", "-e", AllCalls, "-p", processId.ToString(CultureInfo.InvariantCulture),
                },
                RedirectStandardOutput = true,
                RedirectStandardError = true,
            }));
        }
        catch (System.ComponentModel.Win32Exception)
        {
            return new SystemCalls(null);
        }
    }

    /// <summary>Ends the counting. Ends perf by SIGINT, upon which it prints.</summary>
    public async Task<double> StopAsync()
    {
        if (_perf is null || _perf.HasExited)
            return double.NaN;
        using var kill = Process.Start("kill", ["-INT", _perf.Id.ToString(CultureInfo.InvariantCulture)]);
        await kill.WaitForExitAsync();
        return Parse(await _perf.StandardError.ReadToEndAsync());
    }

    /// <summary><c>1234,,raw_syscalls:sys_enter,…</c>; a count that could not be made is a text in brackets.</summary>
    internal static double Parse(string output)
    {
        foreach (var line in output.Split('\n'))
        {
            if (line.Contains(AllCalls, StringComparison.Ordinal) &&
                double.TryParse(line.Split(',')[0], CultureInfo.InvariantCulture, out var count))
                return count;
        }

        return double.NaN;
    }

    public void Dispose()
    {
        if (_perf is { HasExited: false })
            _perf.Kill();
        _perf?.Dispose();
    }
}
