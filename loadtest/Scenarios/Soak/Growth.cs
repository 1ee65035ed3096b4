namespace Gateway.Loadtest.Scenarios.Soak;

/// <summary>Whether a quantity grows: after a warm-up, the median of the last third of the samples against that of the
/// first third. Medians, because one collection or one visitor more must not decide.</summary>
internal sealed class Growth
{
    /// <summary>With fewer after the warm-up nothing is said.</summary>
    public const int LeastSamples = 6;

    private readonly List<double> _samples = [];

    public int Count => _samples.Count;

    public void Add(double sample)
    {
        if (double.IsFinite(sample))
            _samples.Add(sample);
    }

    /// <summary>In percent of the level after the warm-up; NaN when there are too few samples.</summary>
    public double Percent(int warmUpSamples)
    {
        var (early, late) = Levels(warmUpSamples);
        return early == 0 ? late == 0 ? 0 : 100 : 100 * (late - early) / early;
    }

    /// <summary>In the quantity's own unit.</summary>
    public double Absolute(int warmUpSamples)
    {
        var (early, late) = Levels(warmUpSamples);
        return late - early;
    }

    /// <summary>Both bounds have to be passed, so that three handles more of a hundred are no leak.</summary>
    public bool IsBeyond(int warmUpSamples, double percent, double absolute) =>
        Percent(warmUpSamples) > percent && Absolute(warmUpSamples) > absolute;

    private (double Early, double Late) Levels(int warmUpSamples)
    {
        var after = _samples.Skip(warmUpSamples).ToArray();
        if (after.Length < LeastSamples)
            return (double.NaN, double.NaN);
        var third = after.Length / 3;
        return (Median(after[..third]), Median(after[^third..]));
    }

    private static double Median(double[] values)
    {
        Array.Sort(values);
        var middle = values.Length / 2;
        return values.Length % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
    }
}
