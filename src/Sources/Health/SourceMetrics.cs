using System.Diagnostics.Metrics;

namespace Gateway.Sources.Health;

/// <summary>The instruments of meter <c>Gateway.Sources</c> for the connections of all drivers. The labels are the
/// driver's name and what is configured. Threads: any.</summary>
internal sealed class SourceMetrics : IDisposable
{
    public const string MeterName = "Gateway.Sources";

    private static readonly SourceState[] States = Enum.GetValues<SourceState>();

    private readonly Meter _meter = new(MeterName);
    private readonly SourceDrivers _drivers;

    public SourceMetrics(SourceDrivers drivers)
    {
        _drivers = drivers;
        _meter.CreateObservableGauge(
            "gateway_source_state", MeasureStates, null,
            "1 for the state that a driver's source is in now, 0 for the others.");
        _meter.CreateObservableGauge(
            "gateway_source_nodes", MeasureNodes, null, "Nodes that a driver's source serves.");
    }

    public void Dispose() => _meter.Dispose();

    private IEnumerable<Measurement<int>> MeasureStates()
    {
        foreach (var driver in _drivers.Names)
        {
            foreach (var source in _drivers.Report(driver))
            {
                foreach (var state in States)
                    yield return new Measurement<int>(
                        state == source.State ? 1 : 0, Tag("driver", driver), Tag("source", source.Name),
                        Tag("state", SourceStateNames.Of(state)));
            }
        }
    }

    private IEnumerable<Measurement<int>> MeasureNodes()
    {
        foreach (var driver in _drivers.Names)
        {
            foreach (var source in _drivers.Report(driver))
                yield return new Measurement<int>(source.Nodes, Tag("driver", driver), Tag("source", source.Name));
        }
    }

    private static KeyValuePair<string, object?> Tag(string name, string value) => new(name, value);
}
