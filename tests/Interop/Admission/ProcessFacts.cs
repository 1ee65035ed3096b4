using System.Globalization;

namespace Gateway.Interop.Admission;

/// <summary>What the system says about a process.</summary>
internal static class ProcessFacts
{
    private const double TicksPerSecond = 100;

    public static int Descriptors(int processId) =>
        Directory.EnumerateFileSystemEntries($"/proc/{processId}/fd").Count();

    /// <summary>VmRSS.</summary>
    public static long ResidentBytes(int processId)
    {
        string line = File.ReadLines($"/proc/{processId}/status")
            .First(static one => one.StartsWith("VmRSS:", StringComparison.Ordinal));
        string[] words = line.Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries);
        return 1024 * long.Parse(words[1], CultureInfo.InvariantCulture);
    }

    /// <summary>User and system time of all its threads.</summary>
    public static double CpuSeconds(int processId)
    {
        // Fields 14 and 15, counted behind the name in parentheses, which may hold blanks.
        string text = File.ReadAllText($"/proc/{processId}/stat");
        string[] fields = text[(text.LastIndexOf(')') + 2)..].Split(' ');
        return (long.Parse(fields[11], CultureInfo.InvariantCulture)
            + long.Parse(fields[12], CultureInfo.InvariantCulture)) / TicksPerSecond;
    }
}
