namespace Gateway.Loadtest.Checks;

/// <summary>
/// How late the messages of one subscription are, by the receiver's monotonic clock: the publishing cycles are a fixed
/// grid whose phase is that of the earliest message while it settles; afterwards a message is late by its distance from
/// the cycle before it. Lateness of more than an interval looks like that much less (its values are late as well, and
/// their latency is measured apart). Owner: one connection's thread.
/// </summary>
internal struct CycleClock
{
    /// <summary>Of an interval: earlier than the grid by this much still belongs to the coming cycle.</summary>
    private const double Tolerance = 0.2;

    /// <summary>Of an interval: the time that a change may take to the cycle that it belongs to.</summary>
    private const double AgeTolerance = 0.1;

    private double _phaseMs;
    private double _firstMs;
    private double _lastMs;
    private bool _isSettled;

    /// <summary>Shift of the grid between the first and the last part of the measurement, by the least late message of
    /// each; NaN where one of them had none.</summary>
    public readonly double DriftMs => _isSettled && double.IsFinite(_firstMs) && double.IsFinite(_lastMs)
        ? _lastMs - _firstMs
        : double.NaN;

    /// <summary>Lateness of more than an interval, by the age of the message's oldest value: one that came in time is
    /// no older at its cycle than the interval.</summary>
    /// <param name="lateMs">Of <see cref="Measure"/>.</param>
    /// <param name="oldestMs">From the source timestamp to the arrival.</param>
    /// <param name="intervalMs">Publishing interval.</param>
    public static double Unwrap(double lateMs, double oldestMs, double intervalMs) =>
        lateMs + (Math.Max(0, Math.Floor(((oldestMs - lateMs) / intervalMs) - AgeTolerance)) * intervalMs);

    /// <summary>Before the measurement: learns the phase.</summary>
    public void Settle(double nowMs, double intervalMs)
    {
        if (!_isSettled)
        {
            _phaseMs = nowMs;
            _firstMs = _lastMs = double.PositiveInfinity;
            _isSettled = true;
            return;
        }

        var distance = nowMs - _phaseMs;
        distance -= Math.Round(distance / intervalMs) * intervalMs;
        if (distance < 0)
            _phaseMs += distance;
    }

    /// <returns>Lateness in ms, a little below 0 where the message came before the grid; NaN where no message came
    /// while it settled.</returns>
    public double Measure(double nowMs, double intervalMs, MeasurePart part)
    {
        if (!_isSettled)
        {
            Settle(nowMs, intervalMs);
            return double.NaN;
        }

        var distance = nowMs - _phaseMs;
        var late = distance - (Math.Floor((distance / intervalMs) + Tolerance) * intervalMs);
        if (part == MeasurePart.First)
            _firstMs = Math.Min(_firstMs, late);
        else if (part == MeasurePart.Last)
            _lastMs = Math.Min(_lastMs, late);
        return late;
    }
}
