using System.Diagnostics.Metrics;
using Gateway.Codec.Structures;
using Gateway.PubSub.States;

namespace Gateway.PubSub;

/// <summary>The instruments of DataSetReaders in the meter <c>Gateway.PubSub.Readers</c>; the labels are names of the
/// configuration. Threads: any.</summary>
internal sealed class ReaderMetrics : IDisposable
{
    private readonly Meter _meter = new("Gateway.PubSub.Readers");
    private readonly IReaderState _state;

    public ReaderMetrics(IReaderState state)
    {
        _state = state;
        Count("gateway_pubsub_reader_messages_total", static one => one.Messages, "DataSetMessages taken.");
        Count("gateway_pubsub_reader_values_total", static one => one.Values, "Fields of these messages.");
        Count("gateway_pubsub_reader_repeated_messages_total", static one => one.Repeats,
            "DataSetMessages that had come before.");
        Count("gateway_pubsub_reader_missing_messages_total", static one => one.Gaps,
            "DataSetMessages that are missing by their numbers.");
        Count("gateway_pubsub_reader_problems_total", static one => one.Problems.Values.Sum(),
            "Messages and fields that are not used.");
        _meter.CreateObservableGauge(
            "gateway_pubsub_reader_fresh",
            () => _state.ReadReaders().Select(static one => new Measurement<int>(
                one.State == PubSubState.Operational ? 1 : 0, Labels(one))),
            null, "1 while messages come in time.");
        _meter.CreateObservableCounter(
            "gateway_pubsub_reader_strangers_total",
            () => _state.ReadReaderConnections().Select(static one => new Measurement<long>(
                one.Strangers, new KeyValuePair<string, object?>("connection", one.Name))),
            null, "Messages of publishers that no reader takes.");
    }

    public void Dispose() => _meter.Dispose();

    private static KeyValuePair<string, object?>[] Labels(ReaderReport one) =>
        [new("connection", one.Connection), new("reader", one.Name)];

    private void Count(string name, Func<ReaderReport, long> value, string description) =>
        _meter.CreateObservableCounter(
            name, () => _state.ReadReaders().Select(one => new Measurement<long>(value(one), Labels(one))), null,
            description);
}
