using System.Diagnostics.Metrics;

namespace Gateway.Host.Http;

/// <summary>The limits on what is held, queues among them, each beside what is used of it, on the meter
/// <c>Gateway.Limits</c>: as <c>/api/v1/limits</c> shows them. Measures only when a reader asks. Any thread.</summary>
internal sealed class LimitMetrics(GatewayFacts facts) : IDisposable
{
    private readonly Meter _meter = new("Gateway.Limits");

    public void Start()
    {
        _meter.CreateObservableGauge(
            "gateway_limit_in_use", () => facts.UsedLimits().Select(static one => Measure(one.Name, one.Use)), null,
            "What is held now, by the limit on it; for limits of a session: of the one that holds most.");
        _meter.CreateObservableGauge(
            "gateway_limit", () => facts.UsedLimits().Select(static one => Measure(one.Name, one.Limit)), null,
            "The limit in force.");
    }

    public void Dispose() => _meter.Dispose();

    private static Measurement<double> Measure(string name, double value) =>
        new(value, new KeyValuePair<string, object?>("limit", name));
}
