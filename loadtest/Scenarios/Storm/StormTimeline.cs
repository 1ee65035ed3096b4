using System.Globalization;
using Gateway.Loadtest.Observers;
using Gateway.Loadtest.Reports;

namespace Gateway.Loadtest.Scenarios.Storm;

/// <summary>A storm second by second, and as a plot.</summary>
internal sealed class StormTimeline(StormResult result)
{
    private const int MaxRows = 120;
    private const double LatenessBudgetMs = 50;
    private const double Mebi = 1024 * 1024;

    private readonly Goodput _goodput =
        new(Array.ConvertAll(result.Field.Arrivals, arrival => arrival.Seconds));

    private int Seconds => Math.Max(_goodput.Seconds.Count, 1);

    /// <returns>The most in one second, and the mean from the first to the last.</returns>
    public static (double Busiest, double Mean) SpreadOf(IReadOnlyList<double> moments)
    {
        if (moments.Count == 0)
            return (0, double.NaN);
        var busiest = moments.GroupBy(Math.Floor).Max(group => group.Count());
        return (busiest, moments.Count / Math.Max(1, moments.Max() - moments.Min()));
    }

    public ReportTable AsTable(string title)
    {
        var table = new ReportTable(
            title,
            [
                "second", "became active", "waiting", "active", "live messages", "lateness p50 ms", "lateness p99 ms",
                "lateness max ms", "server MiB",
            ]);
        for (var second = 0; second < Math.Min(Seconds, MaxRows); second++)
        {
            var sample = SampleAt(second + 1);
            var live = LiveAt(second);
            table.Rows.Add(
            [
                Text(second, "0"), Text(second < _goodput.Seconds.Count ? _goodput.Seconds[second] : 0, "N0"),
                Text(sample.UnderWay, "N0"), Text(sample.Active, "N0"), Text(live.Messages, "N0"),
                Text(live.P50Ms, "0.0"), Text(live.P99Ms, "0.0"), Text(live.MaxMs, "0.0"),
                Text(sample.ServerBytes / Mebi, "0"),
            ]);
        }

        return table;
    }

    public SvgPlot AsPlot(string title)
    {
        var seconds = Enumerable.Range(0, Seconds).ToArray();
        var samples = result.Samples.Where(sample => sample.Seconds <= Seconds).ToArray();
        var plot = new SvgPlot(title, "seconds from the first connect");
        plot.Panels.Add(new SvgPanel("sessions becoming active", "1/s")
        {
            Series =
            {
                new SvgSeries("goodput", FullSeconds().Select((count, i) => (i + 0.5, (double)count))),
                new SvgSeries(
                    "unloaded rate, measured before", [(0, result.UnloadedRate), (Seconds, result.UnloadedRate)])
                {
                    IsDashed = true,
                },
            },
        });
        plot.Panels.Add(new SvgPanel("lateness of the live sessions", "ms")
        {
            Series =
            {
                new SvgSeries("p50", seconds.Select(second => (second + 0.5, LiveAt(second).P50Ms))),
                new SvgSeries("p99", seconds.Select(second => (second + 0.5, LiveAt(second).P99Ms))),
                new SvgSeries("max", seconds.Select(second => (second + 0.5, LiveAt(second).MaxMs))),
                new SvgSeries("p99 allowed", [(0, LatenessBudgetMs), (Seconds, LatenessBudgetMs)]) { IsDashed = true },
            },
        });
        plot.Panels.Add(new SvgPanel("clients", "")
        {
            Series =
            {
                new SvgSeries("waiting", samples.Select(sample => (sample.Seconds, (double)sample.UnderWay))),
                new SvgSeries("active", samples.Select(sample => (sample.Seconds, (double)sample.Active))),
            },
        });
        return plot;
    }

    /// <summary>The last one began but did not end with the storm.</summary>
    private IEnumerable<int> FullSeconds() => _goodput.Seconds.Take(Math.Max(1, _goodput.FullSeconds));

    private LiveSecond LiveAt(int second) => second < result.Live.Seconds.Count
        ? result.Live.Seconds[second]
        : new LiveSecond(0, double.NaN, double.NaN, double.NaN);

    private StormSample SampleAt(double seconds) =>
        result.Samples.LastOrDefault(sample => sample.Seconds <= seconds);

    private static string Text(double value, string format) =>
        double.IsFinite(value) ? value.ToString(format, CultureInfo.InvariantCulture) : "n/a";
}
