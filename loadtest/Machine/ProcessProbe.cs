using System.Globalization;
using System.IO.MemoryMappedFiles;

namespace Gateway.Loadtest.Machine;

/// <summary>CPU, memory, threads and context switches of a process, by procfs, and the counters of its runtime where it
/// writes them to a file. CPU is the sum of its threads' run time in nanoseconds (schedstat), because the tick of
/// <c>stat</c> is too coarse for short runs; a thread that ended takes its share with it, so the coarse total counts
/// where it is larger.</summary>
internal sealed class ProcessProbe(int processId, string? countersFile = null) : IDisposable
{
    private const double TicksPerSecond = 100;

    private readonly string _folder = $"/proc/{processId}";
    private MemoryMappedFile? _file;
    private MemoryMappedViewAccessor? _view;

    public int ProcessId { get; } = processId;

    public bool IsAlive => Directory.Exists(_folder);

    public ProcessSample Sample() => new(
        TimeProvider.System.GetTimestamp(),
        CpuSeconds(),
        ResidentBytes(),
        StatusOf(_folder + "/status", "Threads:"),
        ContextSwitches(),
        ProcessId == Environment.ProcessId ? RuntimeCountersWriter.Now() : ReadRuntime());

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

    public double ResidentBytes() => 1024 * StatusOf(_folder + "/status", "VmRSS:");

    public void Dispose()
    {
        _view?.Dispose();
        _file?.Dispose();
    }

    private double ContextSwitches()
    {
        double count = 0;
        foreach (var task in Directory.EnumerateDirectories(_folder + "/task"))
        {
            try
            {
                count += StatusOf(task + "/status", "voluntary_ctxt_switches:");
                count += StatusOf(task + "/status", "nonvoluntary_ctxt_switches:");
            }
            catch (IOException)
            {
                // The thread ended between the listing and the look.
            }
        }

        return count;
    }

    private RuntimeCounters? ReadRuntime()
    {
        if (countersFile is null || !File.Exists(countersFile))
            return null;
        _file ??= MemoryMappedFile.CreateFromFile(countersFile, FileMode.Open, null, RuntimeCountersFile.Length);
        _view ??= _file.CreateViewAccessor();
        return RuntimeCountersFile.Read(_view);
    }

    private double CoarseCpuSeconds()
    {
        // Fields 14 and 15 (utime, stime), counted behind the name in parentheses, which may hold blanks.
        var text = File.ReadAllText(_folder + "/stat");
        var fields = text[(text.LastIndexOf(')') + 2)..].Split(' ');
        return (long.Parse(fields[11], CultureInfo.InvariantCulture) +
            long.Parse(fields[12], CultureInfo.InvariantCulture)) / TicksPerSecond;
    }

    private static double StatusOf(string file, string key)
    {
        foreach (var line in File.ReadLines(file))
        {
            if (!line.StartsWith(key, StringComparison.Ordinal))
                continue;
            var value = line.AsSpan(key.Length).Trim();
            var blank = value.IndexOf(' ');
            return double.Parse(blank < 0 ? value : value[..blank], CultureInfo.InvariantCulture);
        }

        return double.NaN;
    }
}
