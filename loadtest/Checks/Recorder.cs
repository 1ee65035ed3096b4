namespace Gateway.Loadtest.Checks;

/// <summary>All watchers of a run write to it; it knows whether the run is measured just now. Threads: any.</summary>
internal sealed class Recorder : IMeasurement
{
    private volatile MeasurePart _part;

    /// <summary>Arrival of a message against its publishing cycle.</summary>
    public Histogram Lateness { get; } = new();

    /// <summary>Arrival of a value against its source timestamp: the wall clock that both sides share on one machine.
    ///</summary>
    public Histogram Latency { get; } = new();

    /// <summary>The same by the second, where a run wants it.</summary>
    public LatenessSeries? Series { get; init; }

    public MeasurePart Part
    {
        get => _part;
        set => _part = value;
    }

    public bool IsMeasuring => _part is not (MeasurePart.Settling or MeasurePart.Opening);

    /// <summary>Measures for some seconds and then stops.</summary>
    public async Task MeasureAsync(double seconds, CancellationToken cancellation)
    {
        var quarter = TimeSpan.FromSeconds(seconds / 4);
        Lateness.Clear();
        Latency.Clear();
        try
        {
            Part = MeasurePart.First;
            await Task.Delay(quarter, cancellation);
            Part = MeasurePart.Middle;
            await Task.Delay(2 * quarter, cancellation);
            Part = MeasurePart.Last;
            await Task.Delay(quarter, cancellation);
        }
        finally
        {
            Part = MeasurePart.Settling;
        }
    }
}
