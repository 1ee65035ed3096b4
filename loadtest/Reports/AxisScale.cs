namespace Gateway.Loadtest.Reports;

/// <summary>From 0 to a round number, in four to ten round steps of 1, 2 or 5 times a power of ten.</summary>
internal readonly record struct AxisScale(double Step, int Steps)
{
    private const int FewestSteps = 4;

    public double End => Step * Steps;

    /// <param name="largest">Not finite or not above 0: an axis to 1.</param>
    public static AxisScale For(double largest)
    {
        if (!(largest > 0) || !double.IsFinite(largest))
            largest = 1;
        var step = Math.Pow(10, Math.Floor(Math.Log10(largest)));
        foreach (var factor in (double[])[1, 0.5, 0.2, 0.1])
        {
            var steps = (int)Math.Ceiling((largest / (step * factor)) - 1e-9);
            if (steps >= FewestSteps)
                return new AxisScale(step * factor, steps);
        }

        return new AxisScale(step / 10, 10);
    }
}
