using System.Collections.Concurrent;
using System.Diagnostics.Metrics;
using Gateway.Admission.Stages;
using Gateway.Codec.Binary;
using Gateway.Codec.Types;
using Gateway.Server.Audit;
using Gateway.Server.Diagnostics;
using Gateway.Server.Dispatch;

namespace Gateway.Server;

/// <summary>The service layer's counters on the Meter <c>Gateway.Server</c>. Hot counters are plain fields that an
/// observable instrument reads, so that counting costs one interlocked add and no tag list. Thread-safe.</summary>
public sealed class ServerCounters : IDisposable
{
    /// <summary>Fault codes with a counter of their own; a peer cannot cause more than there are StatusCodes.</summary>
    private const int MaxFaultCodes = 256;

    /// <summary>A Read takes about 10 µs; the longest request ends by MaxRequestTimeout.</summary>
    private static readonly double[] DurationBounds =
        [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

    private readonly Meter _meter = new("Gateway.Server");
    private readonly Histogram<double> _durations;
    private readonly ConcurrentDictionary<uint, long[]> _faults = new();
    private readonly long[] _auditEvents = new long[Enum.GetValues<AuditEvent>().Length];
    private readonly long[] _otherFaults = new long[1];
    private long _allFaults;
    private ServiceEntry[] _services = [];
    private long _sessions;
    private long _activated;
    private long _created;
    private long _timedOut;
    private long _recycled;
    private long _evicted;
    private long _ended;
    private long _aborted;
    private long _rejected;
    private long _securityRejected;
    private long _unknownServices;
    private long _deferred;
    private long _unfinished;
    private long _turns;
    private long _workRefused;

    /// <param name="decoding">The budget that the server decodes with.</param>
    public ServerCounters(DecodeBudget decoding)
    {
        ArgumentNullException.ThrowIfNull(decoding);
        _meter.CreateObservableCounter("gateway_server_requests_total", Requests, null, "Requests by service.");
        _meter.CreateObservableCounter("gateway_server_failed_requests_total", FailedRequests, null,
            "Requests by service that were answered with a ServiceFault.");
        _durations = _meter.CreateHistogram<double>(
            "gateway_server_request_duration_seconds", "s",
            "From a whole request to its answer, by service; without Publish, which waits for data.", null,
            new InstrumentAdvice<double> { HistogramBucketBoundaries = [.. DurationBounds] });
        _meter.CreateObservableCounter("gateway_server_faults_total", FaultsByStatus, null,
            "ServiceFaults by StatusCode.");
        _meter.CreateObservableCounter("gateway_server_audit_events_total", AuditEvents, null, "Audit events by kind.");
        _meter.CreateObservableGauge("gateway_server_sessions", () => Sessions, null,
            "Sessions, also unactivated.");
        _meter.CreateObservableGauge("gateway_server_activated_sessions", () => ActivatedSessions, null,
            "Sessions that were activated.");
        _meter.CreateObservableGauge("gateway_decoding_bytes", () => decoding.Bytes, "By",
            "Memory of requests that are being decoded and handled now, those of less than 64 KiB aside.");
        _meter.CreateObservableGauge("gateway_decoding_uncollected_bytes", () => decoding.UncollectedBytes, "By",
            "Large decoded values that are not in use any more and not collected yet.");
        _meter.CreateObservableCounter("gateway_decoding_refused_total", () => decoding.Refusals, null,
            "Requests refused because too much was being decoded.");
        _meter.CreateObservableGauge("gateway_service_level", () => (long)ServiceLevel, null,
            "The Server object's ServiceLevel while the server runs: 255 idle, below 200 overloaded.");
        _meter.CreateObservableCounter("gateway_server_sessions_created_total", () => Interlocked.Read(ref _created),
            null, "Sessions created.");
        _meter.CreateObservableCounter("gateway_server_sessions_timed_out_total", () => Interlocked.Read(ref _timedOut),
            null, "Sessions closed by their time-out.");
        _meter.CreateObservableCounter("gateway_server_sessions_aborted_total", () => SessionsAborted, null,
            "Sessions closed for an error of the client's.");
        _meter.CreateObservableCounter("gateway_server_sessions_recycled_total", () => Interlocked.Read(ref _recycled),
            null, "Unactivated sessions closed to admit another at the cap.");
        _meter.CreateObservableCounter("gateway_server_sessions_evicted_total", () => SessionsEvicted,
            null, "Active sessions without a channel closed to admit another at the cap.");
        _meter.CreateObservableCounter("gateway_server_sessions_ended_total", () => SessionsEnded, null,
            "Sessions that an operator ended.");
        _meter.CreateObservableCounter("gateway_server_deferred_requests_total", () => DeferredRequests, null,
            "Requests that were too large for one turn and went on on the workers.");
        _meter.CreateObservableGauge("gateway_server_unfinished_requests", () => UnfinishedRequests, null,
            "Such requests that are under way.");
        _meter.CreateObservableCounter("gateway_server_request_turns_total", () => Interlocked.Read(ref _turns), null,
            "Turns that such requests waited for.");
        _meter.CreateObservableCounter("gateway_server_refused_work_total", () => WorkRefused, null,
            "Operations refused because their request had done all that one may.");
    }

    /// <summary>Clients of a redundant set choose a server by it. Source: Part 4 §6.6.2.4.2.</summary>
    public byte ServiceLevel { get; internal set; } = byte.MaxValue;

    /// <summary>For a listener that wants the counters of this server only.</summary>
    internal Meter Meter => _meter;

    /// <summary>Of all services, unknown ones among them.</summary>
    public long TotalRequests
    {
        get
        {
            var sum = UnknownServices;
            foreach (var service in _services)
                sum += service.Requests;
            return sum;
        }
    }

    public long Sessions => Interlocked.Read(ref _sessions);

    public long ActivatedSessions => Interlocked.Read(ref _activated);

    public long SessionsCreated => Interlocked.Read(ref _created);

    /// <summary>Events of one kind, also those without a line.</summary>
    public long Audited(AuditEvent kind) => Interlocked.Read(ref _auditEvents[(int)kind]);

    public long SessionsRefused => Interlocked.Read(ref _auditEvents[(int)AuditEvent.SessionRefused]);

    /// <summary>All ServiceFaults sent.</summary>
    public long Faults => Interlocked.Read(ref _allFaults);

    public long SessionsTimedOut => Interlocked.Read(ref _timedOut);

    public long SessionsRecycled => Interlocked.Read(ref _recycled);

    /// <summary>Active sessions whose channel was gone, closed to admit another at the cap.</summary>
    public long SessionsEvicted => Interlocked.Read(ref _evicted);

    /// <summary>By an operator.</summary>
    public long SessionsEnded => Interlocked.Read(ref _ended);

    /// <summary>Closed by the server for an error of the client's.</summary>
    public long SessionsAborted => Interlocked.Read(ref _aborted);

    /// <summary>Refused CreateSession and ActivateSession calls.</summary>
    public long SessionRequestsRejected => Interlocked.Read(ref _rejected);

    /// <summary>Of those, the calls refused for security reasons.</summary>
    public long SessionRequestsSecurityRejected => Interlocked.Read(ref _securityRejected);

    /// <summary>ServiceFaults with a security status; sums several counters at each read.</summary>
    public long SecurityFaults
    {
        get
        {
            var sum = 0L;
            foreach (var (code, count) in _faults)
                sum += SecurityFailure.Is(new StatusCode(code)) ? Interlocked.Read(ref count[0]) : 0;
            return sum;
        }
    }

    /// <summary>Requests that were too large for one turn.</summary>
    public long DeferredRequests => Interlocked.Read(ref _deferred);

    /// <summary>Of those, the requests that have not ended yet.</summary>
    public long UnfinishedRequests => Interlocked.Read(ref _unfinished);

    /// <summary>Operations refused because their request had used up its work budget.</summary>
    public long WorkRefused => Interlocked.Read(ref _workRefused);

    public long UnknownServices => Interlocked.Read(ref _unknownServices);

    public long FaultsOf(StatusCode status) =>
        _faults.TryGetValue(status.CodeBits, out var count) ? Interlocked.Read(ref count[0]) : 0;

    public void Dispose() => _meter.Dispose();

    internal void Serve(IEnumerable<ServiceEntry> services) => _services = [.. services];

    internal void CountFault(StatusCode status)
    {
        Interlocked.Increment(ref _allFaults);
        if (!_faults.TryGetValue(status.CodeBits, out var count))
            count = _faults.Count < MaxFaultCodes ? _faults.GetOrAdd(status.CodeBits, static _ => [0]) : _otherFaults;
        Interlocked.Increment(ref count[0]);
    }

    /// <param name="service">Of the request.</param>
    /// <param name="status">Bad where it was answered with a fault.</param>
    /// <param name="elapsed">Since the request was whole.</param>
    internal void OnAnswered(ServiceEntry service, StatusCode status, TimeSpan elapsed)
    {
        if (status.IsBad)
            service.CountFailed();
        if (service.Stage != AdmissionStage.Publish)
            _durations.Record(elapsed.TotalSeconds, service.Tag);
    }

    internal void CountTurn() => Interlocked.Increment(ref _turns);

    internal void CountWorkRefused() => Interlocked.Increment(ref _workRefused);

    /// <param name="change">1 when a request begins, -1 when it ends.</param>
    internal void CountDeferred(int change)
    {
        Interlocked.Add(ref _unfinished, change);
        if (change > 0)
            Interlocked.Increment(ref _deferred);
    }

    internal void CountUnknownService() => Interlocked.Increment(ref _unknownServices);

    internal void CountAudit(AuditEvent kind, StatusCode status, int count)
    {
        Interlocked.Add(ref _auditEvents[(int)kind], count);
        if (kind is not (AuditEvent.SessionRefused or AuditEvent.ActivationRefused))
            return;
        Interlocked.Increment(ref _rejected);
        if (SecurityFailure.Is(status))
            Interlocked.Increment(ref _securityRejected);
    }

    internal void SessionCreated()
    {
        Interlocked.Increment(ref _created);
        Interlocked.Increment(ref _sessions);
    }

    internal void SessionActivated() => Interlocked.Increment(ref _activated);

    internal void SessionClosed(bool wasActivated, AuditEvent why, StatusCode status)
    {
        var timedOut = why == AuditEvent.SessionTimedOut;
        Interlocked.Decrement(ref _sessions);
        if (wasActivated)
            Interlocked.Decrement(ref _activated);
        if (timedOut)
            Interlocked.Increment(ref _timedOut);
        if (why == AuditEvent.SessionRecycled)
            Interlocked.Increment(ref _recycled);
        if (why == AuditEvent.SessionEvicted)
            Interlocked.Increment(ref _evicted);
        if (why == AuditEvent.SessionEnded)
            Interlocked.Increment(ref _ended);
        else if (status.IsBad && !timedOut)
            Interlocked.Increment(ref _aborted);
    }

    private IEnumerable<Measurement<long>> Requests()
    {
        foreach (var service in _services)
            yield return new Measurement<long>(service.Requests, Tag("service", service.Name));
        yield return new Measurement<long>(UnknownServices, Tag("service", "unknown"));
    }

    private IEnumerable<Measurement<long>> FailedRequests()
    {
        foreach (var service in _services)
            yield return new Measurement<long>(service.Failed, Tag("service", service.Name));
    }

    private IEnumerable<Measurement<long>> FaultsByStatus()
    {
        foreach (var (code, count) in _faults)
            yield return new Measurement<long>(
                Interlocked.Read(ref count[0]), Tag("status", new StatusCode(code).ToString()));
    }

    private IEnumerable<Measurement<long>> AuditEvents()
    {
        for (var i = 0; i < _auditEvents.Length; i++)
            yield return new Measurement<long>(
                Interlocked.Read(ref _auditEvents[i]), Tag("event", ((AuditEvent)i).ToString()));
    }

    private static KeyValuePair<string, object?> Tag(string name, string value) => new(name, value);
}
