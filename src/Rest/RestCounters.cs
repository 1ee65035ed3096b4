using System.Diagnostics.Metrics;
using Gateway.Admission;
using Gateway.Rest.Access;
using Gateway.Rest.Answers;
using Gateway.Rest.Bodies;
using Gateway.Rest.Budgets;
using Gateway.Rest.Sockets;
using Gateway.Rest.Streams;

namespace Gateway.Rest;

/// <summary>The resource API on meter <c>Gateway.Rest</c>. Threads: any.</summary>
internal sealed class RestCounters(
    BodyReader bodies, AnswerSender answers, TurnLane lane, StreamBook streams, EncodedValues encoded, SocketBook book,
    UpstreamTestPlaces tests, AdmissionControl admission) : IDisposable
{
    private readonly Meter _meter = new("Gateway.Rest");

    public void Start()
    {
        _meter.CreateObservableCounter("gateway_http_bodies_refused_total", () => bodies.Refused, null,
            "Request bodies that there was no memory for.");
        _meter.CreateObservableGauge("gateway_http_bodies_bytes", () => bodies.HeldBytes, "By",
            "Request bodies that are held now.");
        _meter.CreateObservableCounter("gateway_http_answers_refused_total", () => answers.Refused, null,
            "Answers and events of streams that there was no memory for.");
        _meter.CreateObservableCounter(
            "gateway_http_answers_late_total", () => answers.Late + admission.Http.Late, null,
            "Connections, or with HTTP/2 answers and streams, that were ended because their client took nothing.");
        _meter.CreateObservableGauge("gateway_http_answers_bytes", () => answers.HeldBytes, "By",
            "Long answers and events, and values of sources, that wait for their clients now.");
        _meter.CreateObservableCounter("gateway_http_work_refused_total", () => lane.Refused, null,
            "Operations that their HTTP request had no work left for.");
        _meter.CreateObservableGauge("gateway_http_streams", () => streams.Count, null,
            "Streams that HTTP clients have or may come back to.");
        _meter.CreateObservableCounter("gateway_http_streams_refused_total", () => streams.Refused, null,
            "Streams that there was no place or no memory for.");
        _meter.CreateObservableGauge("gateway_http_streams_bytes", () => streams.Memory.Held, "By",
            "Nodes of streams, and events that are kept for clients that come back.");
        _meter.CreateObservableCounter("gateway_http_stream_values_encoded_total", () => encoded.Encoded, null,
            "Values that were encoded for streams, as a rule each once for all who watch it.");
        _meter.CreateObservableGauge("gateway_http_stream_cache_bytes", () => encoded.HeldBytes, "By",
            "Encoded values that all streams share, with the values themselves.");
        _meter.CreateObservableGauge("gateway_http_web_sockets", () => book.Counters.Open, null,
            "WebSockets that carry JSON.");
        _meter.CreateObservableCounter("gateway_http_web_sockets_ended_total", SocketsEnded, null,
            "WebSockets that have ended, by reason.");
        _meter.CreateObservableCounter("gateway_http_web_socket_messages_total", () => book.Counters.Messages, null,
            "Messages that WebSockets have sent.");
        _meter.CreateObservableCounter(
            "gateway_http_web_socket_messages_refused_total", () => book.Counters.RateRefused, null,
            "Messages of WebSockets above their rate.");
        _meter.CreateObservableGauge("gateway_http_upstream_tests", () => tests.UnderWay, null,
            "Connections to upstreams that are being tried for users of HTTP.");
        _meter.CreateObservableCounter("gateway_http_upstream_tests_refused_total", () => tests.Refused, null,
            "Tries of connections to upstreams that were refused because as many were under way as may be.");
    }

    public void Dispose() => _meter.Dispose();

    private IEnumerable<Measurement<long>> SocketsEnded() => SocketEnds.All.Select(
        end => new Measurement<long>(
            book.Counters.EndedBy(end), new KeyValuePair<string, object?>("reason", SocketEnds.LabelOf(end))));
}
