using System.Globalization;

namespace Gateway.Loadtest.Machine;

/// <summary>A histogram as a server exposes it to Prometheus: cumulative counts by upper bound.</summary>
internal sealed class ExposedHistogram
{
    private readonly SortedDictionary<double, double> _buckets = [];

    /// <returns>Without a bucket where the text does not have it; its label sets are added up.</returns>
    public static ExposedHistogram Parse(string text, string name)
    {
        var histogram = new ExposedHistogram();
        var start = $"{name}_bucket{{";
        foreach (var line in text.Split('\n'))
        {
            if (!line.StartsWith(start, StringComparison.Ordinal))
                continue;
            var bound = Between(line, "le=\"", "\"");
            var value = line[(line.LastIndexOf('}') + 1)..].Trim().Split(' ')[0];
            if (double.TryParse(value, CultureInfo.InvariantCulture, out var count))
                histogram.Add(bound == "+Inf" ? double.PositiveInfinity : Number(bound), count);
        }

        return histogram;
    }

    /// <summary>The upper bound of the bucket that holds it, counting from <paramref name="before"/>; infinite beyond
    /// the last bound, NaN where nothing was counted.</summary>
    public double Percentile(double fraction, ExposedHistogram before)
    {
        if (_buckets.Count == 0)
            return double.NaN;
        var all = _buckets.Values.Last() - before._buckets.Values.LastOrDefault();
        foreach (var (bound, count) in _buckets)
        {
            if (all > 0 && count - before._buckets.GetValueOrDefault(bound) >= all * fraction)
                return bound;
        }

        return double.NaN;
    }

    private void Add(double bound, double count) =>
        _buckets[bound] = _buckets.GetValueOrDefault(bound) + count;

    private static double Number(string text) =>
        double.TryParse(text, CultureInfo.InvariantCulture, out var number) ? number : double.NaN;

    private static string Between(string line, string start, string end)
    {
        var from = line.IndexOf(start, StringComparison.Ordinal);
        if (from < 0)
            return string.Empty;
        from += start.Length;
        var to = line.IndexOf(end, from, StringComparison.Ordinal);
        return to < 0 ? string.Empty : line[from..to];
    }
}
