using System.Diagnostics;
using System.Diagnostics.Metrics;
using Microsoft.AspNetCore.Http.Features;

namespace Gateway.Host.Http;

/// <summary>
/// Requests, on meter <c>Gateway.Http</c>: their durations, and those that broke a limit or the protocol. Kestrel
/// answers the latter itself and reports them only to a diagnostic listener. Threads: any.
/// </summary>
internal sealed class HttpCounters(DiagnosticListener listener)
    : IObserver<KeyValuePair<string, object?>>, IDisposable
{
    private const string BadRequestEvent = "Microsoft.AspNetCore.Server.Kestrel.BadRequest";

    /// <summary>The statuses with which Kestrel answers bad requests; others count as 400.</summary>
    private static readonly int[] Statuses = [400, 405, 408, 411, 413, 414, 417, 431, 505];

    /// <summary>In seconds. Few, because each route has them.</summary>
    private static readonly double[] DurationBounds =
        [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];

    private readonly Meter _meter = new("Gateway.Http");
    private readonly long[] _badRequests = new long[Statuses.Length];
    private IDisposable? _subscription;
    private Histogram<double>? _durations;

    /// <summary>Its instruments are of this gateway alone.</summary>
    internal Meter Meter => _meter;

    public void Start()
    {
        _meter.CreateObservableCounter("gateway_http_bad_requests_total", BadRequests, null,
            "HTTP requests that broke a limit or the protocol, by the status that they were answered with.");
        _durations = _meter.CreateHistogram(
            "gateway_http_request_duration_seconds", "s",
            "From the headers of an HTTP request to the end of its answer, by route; without streams and WebSockets.",
            null, new InstrumentAdvice<double> { HistogramBucketBoundaries = DurationBounds });
        _subscription = listener.Subscribe(this, static name => name == BadRequestEvent);
    }

    /// <param name="route">Of few: a pattern, not a path.</param>
    /// <param name="method">Of few.</param>
    /// <param name="elapsed">Until the end of the answer.</param>
    public void Took(string route, string method, TimeSpan elapsed) => _durations?.Record(
        elapsed.TotalSeconds, new KeyValuePair<string, object?>("route", route),
        new KeyValuePair<string, object?>("method", method));

    public long BadRequestsOf(int status) => Volatile.Read(ref _badRequests[Array.IndexOf(Statuses, status)]);

    public void Dispose()
    {
        _subscription?.Dispose();
        _meter.Dispose();
    }

    void IObserver<KeyValuePair<string, object?>>.OnNext(KeyValuePair<string, object?> value)
    {
        if (value.Value is IFeatureCollection features &&
            features.Get<IBadRequestExceptionFeature>()?.Error is BadHttpRequestException error)
            Interlocked.Increment(ref _badRequests[Math.Max(0, Array.IndexOf(Statuses, error.StatusCode))]);
    }

    void IObserver<KeyValuePair<string, object?>>.OnCompleted()
    {
    }

    void IObserver<KeyValuePair<string, object?>>.OnError(Exception error)
    {
    }

    private IEnumerable<Measurement<long>> BadRequests()
    {
        for (var i = 0; i < Statuses.Length; i++)
            yield return new Measurement<long>(
                Volatile.Read(ref _badRequests[i]), new KeyValuePair<string, object?>("status", Statuses[i]));
    }
}
