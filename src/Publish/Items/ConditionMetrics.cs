using System.Diagnostics.Metrics;
using Gateway.Events.Conditions;

namespace Gateway.Publish.Items;

/// <summary>Instruments of the meter <c>Gateway.Publish</c> about alarms.</summary>
internal sealed class ConditionMetrics : IDisposable
{
    /// <summary>Source: Part 5 §6.4.2.</summary>
    private static readonly (string Name, int Lowest, int Highest)[] Severities =
    [
        ("low", 1, 200), ("medium_low", 201, 400), ("medium", 401, 600), ("medium_high", 601, 800),
        ("high", 801, 1000),
    ];

    private readonly Meter _meter = new("Gateway.Publish");

    public ConditionMetrics(ConditionTable conditions, Func<long> openRefreshes)
    {
        _meter.CreateObservableGauge(
            "gateway_alarms_active",
            () => Severities.Select(one => new Measurement<long>(
                conditions.CountActive(one.Lowest, one.Highest) +
                    conditions.Mirrored.CountActive(one.Lowest, one.Highest),
                new KeyValuePair<string, object?>("severity", one.Name))),
            null, "Alarms of the gateway and of upstreams that are active now, by severity.");
        _meter.CreateObservableGauge(
            "gateway_condition_refreshes", openRefreshes, null, "Refreshes of conditions under way now.");
        _meter.CreateObservableCounter(
            "gateway_alarms_refused_total", () => conditions.Refused, null, "Alarms that found no room.");
    }

    public void Dispose() => _meter.Dispose();
}
