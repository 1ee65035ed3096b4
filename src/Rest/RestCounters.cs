using System.Diagnostics.Metrics;
using Gateway.Rest.Access;
using Gateway.Rest.Bodies;

namespace Gateway.Rest;

/// <summary>The resource API on meter <c>Gateway.Rest</c>. Threads: any.</summary>
internal sealed class RestCounters(BodyReader bodies, TurnLane lane) : IDisposable
{
    private readonly Meter _meter = new("Gateway.Rest");

    public void Start()
    {
        _meter.CreateObservableCounter("gateway_http_bodies_refused_total", () => bodies.Refused, null,
            "Request bodies that there was no memory for.");
        _meter.CreateObservableGauge("gateway_http_bodies_bytes", () => bodies.HeldBytes, "By",
            "Request bodies that are held now.");
        _meter.CreateObservableCounter("gateway_http_work_refused_total", () => lane.Refused, null,
            "Operations that their HTTP request had no work left for.");
    }

    public void Dispose() => _meter.Dispose();
}
