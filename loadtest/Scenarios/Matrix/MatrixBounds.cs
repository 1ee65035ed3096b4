using System.Globalization;

namespace Gateway.Loadtest.Scenarios.Matrix;

/// <summary>Up to where a cell holds.</summary>
internal sealed record MatrixBounds
{
    /// <summary>Of all cores of the machine, server and driver together.</summary>
    private const double SaturatedShare = 0.95;

    /// <summary>Of the values that are due.</summary>
    private const double StarvedShare = 0.9;

    public required int Cores { get; init; }

    public required double PublishingIntervalMs { get; init; }

    /// <summary>Beyond the publishing interval.</summary>
    public required double LatenessMs { get; init; }

    public required double MemoryMiB { get; init; }

    /// <summary>The cause before its effects: a refused session also lacks its values, and a machine without a free
    /// core makes them late.</summary>
    public GaveWay Judge(CellMeasurement seen)
    {
        if (seen.Refusal.Length > 0)
            return GaveWay.Refusal;
        if (seen.ServerMemoryMiB > MemoryMiB)
            return GaveWay.Memory;
        if (seen.ServerCores + seen.DriverCores >= SaturatedShare * Cores)
            return seen.ServerCores >= seen.DriverCores ? GaveWay.ServerCpu : GaveWay.DriverCpu;
        if (seen.Losses.Length > 0)
            return GaveWay.Loss;
        if (seen.IsOutOfTime)
            return GaveWay.Time;
        // A message that is late by more than an interval looks like that much less: its values' age shows it.
        if (seen.LatenessP99Ms > LatenessMs || seen.LatencyP99Ms > PublishingIntervalMs + LatenessMs)
            return GaveWay.Lateness;
        return IsStarved(seen) ? GaveWay.Starved : GaveWay.Nothing;
    }

    public static string Explain(GaveWay what, CellMeasurement seen) => what switch
    {
        GaveWay.Nothing => "held",
        GaveWay.Refusal => seen.Losses.Length == 0 ? seen.Refusal : $"{seen.Refusal}; {seen.Losses}",
        GaveWay.Loss => seen.Losses,
        GaveWay.Lateness => Text(
            $"late p99 {seen.LatenessP99Ms:N0} ms, values' age p99 {seen.LatencyP99Ms:N0} ms"),
        GaveWay.Starved => Text($"{seen.ValuesPerSecond:N0} of {seen.ExpectedPerSecond:N0} values/s"),
        GaveWay.ServerCpu => Text($"CPU: server {seen.ServerCores:0.00}, driver {seen.DriverCores:0.00} cores"),
        GaveWay.DriverCpu => Text($"driver's CPU: {seen.DriverCores:0.00} cores, server {seen.ServerCores:0.00}"),
        GaveWay.Memory => Text($"server memory {seen.ServerMemoryMiB:N0} MiB"),
        _ => "not done in its time",
    };

    /// <summary>One change of each item may fall to either side of the measurement.</summary>
    private static bool IsStarved(CellMeasurement seen) =>
        seen.ValuesPerSecond < (StarvedShare * seen.ExpectedPerSecond) - (seen.Cell.TotalItems / seen.Seconds);

    private static string Text(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
