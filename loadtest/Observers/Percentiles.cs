namespace Gateway.Loadtest.Observers;

/// <summary>Of few values, exactly.</summary>
internal static class Percentiles
{
    /// <param name="ordered">Ascending.</param>
    /// <param name="fraction">0 to 1.</param>
    /// <returns>NaN of nothing.</returns>
    public static double Of(IReadOnlyList<double> ordered, double fraction) => ordered.Count == 0
        ? double.NaN
        : ordered[Math.Clamp((int)Math.Ceiling(ordered.Count * fraction) - 1, 0, ordered.Count - 1)];
}
