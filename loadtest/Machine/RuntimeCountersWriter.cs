using System.Diagnostics;
using System.IO.MemoryMappedFiles;

namespace Gateway.Loadtest.Machine;

/// <summary>Inside the measured gateway: writes its counters to a mapped file ten times a second, without allocating.
/// No socket, because the gateway sets how sockets work before it opens its first. Uses nothing but the
/// runtime.</summary>
internal static class RuntimeCountersWriter
{
    public const string FileVariable = "LOADTEST_COUNTERS";

    private static readonly TimeSpan Period = TimeSpan.FromMilliseconds(100);

    public static void Start()
    {
        if (Environment.GetEnvironmentVariable(FileVariable) is { } path)
            new Thread(() => Run(path)) { IsBackground = true, Name = "loadtest counters" }.Start();
    }

    public static RuntimeCounters Now() => new(
        Stopwatch.GetElapsedTime(0).Ticks,
        GC.GetTotalAllocatedBytes(precise: false),
        // A count includes the collections of the higher generations.
        GC.CollectionCount(0) - GC.CollectionCount(1),
        GC.CollectionCount(1) - GC.CollectionCount(2),
        GC.CollectionCount(2),
        GC.GetTotalPauseDuration().Ticks,
        GC.GetTotalMemory(forceFullCollection: false));

    private static void Run(string path)
    {
        using var file = MemoryMappedFile.CreateFromFile(path, FileMode.OpenOrCreate, null, RuntimeCountersFile.Length);
        using var view = file.CreateViewAccessor();
        using var never = new ManualResetEvent(false);
        do
        {
            var counters = Now();
            RuntimeCountersFile.Write(view, in counters);
        }
        while (!never.WaitOne(Period));
    }
}
