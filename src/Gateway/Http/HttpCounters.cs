using System.Diagnostics;
using System.Diagnostics.Metrics;
using Microsoft.AspNetCore.Http.Features;

namespace Gateway.Host.Http;

/// <summary>
/// Requests that broke a limit or the protocol, on meter <c>Gateway.Http</c>. Kestrel answers them itself and reports
/// them only to a diagnostic listener. Threads: any.
/// </summary>
internal sealed class HttpCounters(DiagnosticListener listener)
    : IObserver<KeyValuePair<string, object?>>, IDisposable
{
    private const string BadRequestEvent = "Microsoft.AspNetCore.Server.Kestrel.BadRequest";

    /// <summary>The statuses with which Kestrel answers bad requests; others count as 400.</summary>
    private static readonly int[] Statuses = [400, 405, 408, 411, 413, 414, 417, 431, 505];

    private readonly Meter _meter = new("Gateway.Http");
    private readonly long[] _badRequests = new long[Statuses.Length];
    private IDisposable? _subscription;

    public void Start()
    {
        _meter.CreateObservableCounter("gateway_http_bad_requests_total", BadRequests, null,
            "HTTP requests that broke a limit or the protocol, by the status that they were answered with.");
        _subscription = listener.Subscribe(this, static name => name == BadRequestEvent);
    }

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
