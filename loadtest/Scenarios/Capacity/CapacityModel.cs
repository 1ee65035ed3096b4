namespace Gateway.Loadtest.Scenarios.Capacity;

/// <summary>
/// cores = base + change · changes/s + message · messages/s + notification · notifications/s, where a lone message
/// (<see cref="CapacityMeasurement.AreMessagesLone"/>) has another cost than one of many;
/// bytes = base + tag · tags + session · sessions + item · items.
/// </summary>
internal sealed class CapacityModel
{
    private readonly double[] _cpu;
    private readonly double[] _memory;

    private CapacityModel(double[] cpu, double[] memory)
    {
        _cpu = cpu;
        _memory = memory;
    }

    public double BaseCores => _cpu[0];

    public double MicrosecondsPerChange => 1e6 * _cpu[1];

    public double MicrosecondsPerLoneMessage => 1e6 * _cpu[2];

    /// <summary>Where there are many.</summary>
    public double MicrosecondsPerMessage => 1e6 * _cpu[3];

    public double MicrosecondsPerNotification => 1e6 * _cpu[4];

    public double BaseBytes => _memory[0];

    public double BytesPerTag => _memory[1];

    public double BytesPerSession => _memory[2];

    public double BytesPerItem => _memory[3];

    public static CapacityModel Fit(IReadOnlyCollection<CapacityMeasurement> points) => new(
        LeastSquares.Fit([.. points.Select(p => p.CpuTerms)], [.. points.Select(p => p.Cores)]),
        LeastSquares.Fit([.. points.Select(p => p.MemoryTerms)], [.. points.Select(p => p.ResidentBytes)]));

    public double CoresOf(CapacityMeasurement rates) => Sum(_cpu, rates.CpuTerms);

    public double BytesOf(CapacityMeasurement rates) => Sum(_memory, rates.MemoryTerms);

    private static double Sum(double[] costs, double[] terms) => costs.Zip(terms, (cost, term) => cost * term).Sum();
}
