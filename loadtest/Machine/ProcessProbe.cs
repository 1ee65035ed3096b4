using System.Globalization;

namespace Gateway.Loadtest.Machine;

/// <summary>CPU time and resident memory of a process, by procfs. CPU is the sum of its threads' run time in
/// nanoseconds (schedstat), because the tick of <c>stat</c> is too coarse for short runs; a thread that ended takes its
/// share with it, so the coarse total counts where it is larger.</summary>
internal sealed class ProcessProbe(int processId)
{
    private const double TicksPerSecond = 100;

    private readonly string _folder = $"/proc/{processId}";

    public double CpuSeconds()
    {
        long nanoseconds = 0;
        foreach (var task in Directory.EnumerateDirectories(_folder + "/task"))
        {
            try
            {
                var text = File.ReadAllText(task + "/schedstat");
                var runTime = text.AsSpan(0, text.IndexOf(' ', StringComparison.Ordinal));
                nanoseconds += long.Parse(runTime, CultureInfo.InvariantCulture);
            }
            catch (IOException)
            {
                // The thread ended between the listing and the look.
            }
        }

        return Math.Max(nanoseconds / 1e9, CoarseCpuSeconds());
    }

    public double ResidentBytes()
    {
        foreach (var line in File.ReadLines(_folder + "/status"))
        {
            if (line.StartsWith("VmRSS:", StringComparison.Ordinal))
                return 1024 * double.Parse(line["VmRSS:".Length..^"kB".Length], CultureInfo.InvariantCulture);
        }

        return double.NaN;
    }

    private double CoarseCpuSeconds()
    {
        // Fields 14 and 15 (utime, stime), counted behind the name in parentheses, which may hold blanks.
        var text = File.ReadAllText(_folder + "/stat");
        var fields = text[(text.LastIndexOf(')') + 2)..].Split(' ');
        return (long.Parse(fields[11], CultureInfo.InvariantCulture) +
            long.Parse(fields[12], CultureInfo.InvariantCulture)) / TicksPerSecond;
    }
}
