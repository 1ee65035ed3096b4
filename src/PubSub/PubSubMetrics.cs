using System.Diagnostics.Metrics;
using Gateway.Codec.Structures;
using Gateway.PubSub.States;

namespace Gateway.PubSub;

/// <summary>The instruments of meter <c>Gateway.PubSub</c>; the labels are names of the configuration. Threads: any.
/// </summary>
internal sealed class PubSubMetrics : IDisposable
{
    private readonly Meter _meter = new("Gateway.PubSub");
    private readonly IPubSubState _state;

    public PubSubMetrics(IPubSubState state)
    {
        _state = state;
        Count("gateway_pubsub_messages_total", static group => group.Messages, "NetworkMessages on their way.");
        Count("gateway_pubsub_sent_bytes_total", static group => group.Bytes, "Bytes of these messages.", "By");
        Count("gateway_pubsub_values_total", static group => group.Values, "Changes of values in them.");
        Count("gateway_pubsub_lost_messages_total", static group => group.Lost,
            "NetworkMessages that neither the store nor the network took.");
        Count("gateway_pubsub_too_large_values_total", static group => group.TooLarge,
            "Values that are larger than a message.");
        Count("gateway_pubsub_skipped_values_total", static group => group.Skipped,
            "Changes that came faster than their group takes them.");
        _meter.CreateObservableGauge(
            "gateway_pubsub_connected",
            () => _state.ReadConnections().Select(static one => new Measurement<int>(
                one.State == PubSubState.Operational ? 1 : 0, Label("connection", one.Name))),
            null, "1 while the connection to the broker stands.");
        CountOf("gateway_pubsub_probes_total", static one => one.Probes, "Probes of subscribers that were answered.");
        CountOf("gateway_pubsub_refused_probes_total", static one => one.RefusedProbes,
            "Probes that were not: too many, not readable or not sealed as their group.");
        _meter.CreateObservableCounter(
            "gateway_pubsub_discarded_messages_total",
            () => _state.ReadConnections().Select(static one => new Measurement<long>(
                one.Discarded, Label("connection", one.Name))),
            null, "Messages that the broker or the system does not take.");
    }

    public void Dispose() => _meter.Dispose();

    private static KeyValuePair<string, object?> Label(string name, string value) => new(name, value);

    private void CountOf(string name, Func<ConnectionReport, long> value, string description) =>
        _meter.CreateObservableCounter(
            name, () => _state.ReadConnections().Select(one => new Measurement<long>(
                value(one), Label("connection", one.Name))),
            null, description);

    private void Count(
        string name, Func<GroupReport, long> value, string description, string? unit = null) =>
        _meter.CreateObservableCounter(
            name, () => _state.ReadConnections().SelectMany(connection => connection.Groups.Select(group =>
                new Measurement<long>(
                    value(group), Label("connection", connection.Name), Label("group", group.Name)))),
            unit, description);
}
