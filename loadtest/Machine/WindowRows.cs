using Gateway.Loadtest.Reports;

namespace Gateway.Loadtest.Machine;

/// <summary>The rows that every steady state prints.</summary>
internal static class WindowRows
{
    public static void AddTo(Report report, Window window)
    {
        report.Add("measured", window.Seconds, "s");
        report.Add("server CPU", window.ServerCores, "cores");
        report.Add("driver CPU", window.DriverCores, "cores");
        report.Add("server resident memory", window.ServerResidentBytes / 1024 / 1024, "MiB");
        report.Add("driver resident memory", window.DriverResidentBytes / 1024 / 1024, "MiB");
        report.Add("server allocated", window.ServerAllocatedMegabytesPerSecond, "MB/s");
        report.Add("driver allocated", window.DriverAllocatedBytes / 1e6 / window.Seconds, "MB/s");
        report.Add("server collections Gen0", window.ServerGen0);
        report.Add("server collections Gen1", window.ServerGen1);
        report.Add("server collections Gen2", window.ServerGen2);
        report.Add("server collection pauses", window.ServerPauseMs, "ms");
        report.Add("server threads", window.ServerThreads);
        report.Add("server context switches", window.ServerSwitchesPerSecond, "/s");
    }
}
