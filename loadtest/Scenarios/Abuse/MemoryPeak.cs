using System.Globalization;
using Gateway.Loadtest.Machine;
using Gateway.Loadtest.Reports;

namespace Gateway.Loadtest.Scenarios.Abuse;

/// <summary>The server's resident memory, measured ten times a second.</summary>
internal sealed class MemoryPeak(ProcessProbe? server)
{
    private const double MiB = 1024 * 1024;
    private static readonly TimeSpan Period = TimeSpan.FromMilliseconds(100);

    private readonly double _before = server?.ResidentBytes() ?? double.NaN;
    private double _peak = double.NaN;

    public double GrowthBytes => _peak - _before;

    public async Task RunAsync(CancellationToken end)
    {
        while (server is { IsAlive: true } && !end.IsCancellationRequested)
        {
            var now = server.ResidentBytes();
            if (!(_peak >= now))
                _peak = now;
            await Task.Delay(Period, end).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }
    }

    /// <param name="report">Gets the rows.</param>
    /// <param name="count">The number of parties that share the growth.</param>
    /// <param name="mostMiB">More fails the run.</param>
    public void AddTo(Report report, int count, int mostMiB)
    {
        report.Add("server memory before", _before / MiB, "MiB");
        report.Add("server memory at its peak", _peak / MiB, "MiB");
        report.Add("growth each", GrowthBytes / 1024 / count, "KiB");
        if (GrowthBytes / MiB > mostMiB)
            report.Fail(string.Create(
                CultureInfo.InvariantCulture, $"memory grew by {GrowthBytes / MiB:0} MiB, more than {mostMiB}"));
    }
}
