using Gateway.Admission.Stages;
using Gateway.Publish;
using Gateway.Rest.Overview;
using Gateway.Server;
using Gateway.Transport.Hosting;
using Gateway.Transport.Timing;
using TransportContext = Gateway.Transport.Hosting.TransportContext;

namespace Gateway.Host.Overview;

/// <summary>Reads the counters every two seconds and keeps the last ten minutes, so that a plot is not empty when a
/// page opens. One sample serves all viewers. Threads: a timer writes, any reads.</summary>
internal sealed partial class OverviewSampler(
    GatewayServer server, UaTcpConnectionHandler connections, PublishEngine publishing, TransportContext transport,
    TimeProvider time, ILogger<OverviewSampler> logger) : IOverviewHistory, IAsyncDisposable
{
    /// <summary>Ten minutes.</summary>
    private const int Kept = 300;

    private readonly Lock _lock = new();
    private readonly OverviewSample[] _ring = new OverviewSample[Kept];
    private readonly ILogger _logger = logger;
    private long _last;
    private OverviewTotals _before;
    private long _beforeAt;
    private ITimer? _timer;

    public TimeSpan Interval { get; } = TimeSpan.FromSeconds(2);

    public void Start()
    {
        (_before, _beforeAt) = (ReadTotals(), time.GetTimestamp());
        _timer = Contained.Every(time, Interval, Sample, LogSampleFailed);
    }

    public IReadOnlyList<OverviewSample> Read(long after)
    {
        lock (_lock)
        {
            if (after > _last)
                after = 0;
            var first = Math.Max(after, _last - Kept) + 1;
            var samples = new OverviewSample[_last - first + 1];
            for (var i = 0; i < samples.Length; i++)
                samples[i] = _ring[(first + i) % Kept];
            return samples;
        }
    }

    public ValueTask DisposeAsync() => _timer?.DisposeAsync() ?? default;

    /// <summary>The counters are read outside the lock: it only guards the ring.</summary>
    internal void Sample()
    {
        var (now, totals) = (time.GetTimestamp(), ReadTotals());
        var lateness = publishing.Counters.TakeWorstLateness();
        lock (_lock)
        {
            var seconds = Math.Max(time.GetElapsedTime(_beforeAt, now).TotalSeconds, 1e-3);
            var sample = new OverviewSample
            {
                Sequence = _last + 1,
                At = time.GetUtcNow().UtcDateTime,
                Sessions = server.SessionCount,
                Connections = connections.ConnectionCount,
                HttpConnections = transport.Admission.Http.Count,
                Subscriptions = publishing.Counters.Subscriptions,
                MonitoredItems = publishing.Counters.MonitoredItems,
                NotificationsPerSecond = (totals.Notifications - _before.Notifications) / seconds,
                MessagesPerSecond = (totals.Messages - _before.Messages) / seconds,
                RequestsPerSecond = (totals.Requests - _before.Requests) / seconds,
                RejectionsPerSecond = (totals.Rejections - _before.Rejections) / seconds,
                LatenessMs = lateness.TotalMilliseconds,
                CpuPercent = (totals.Processor - _before.Processor).TotalSeconds / seconds * 100,
                MemoryBytes = Environment.WorkingSet,
            };
            (_before, _beforeAt, _last) = (totals, now, sample.Sequence);
            _ring[_last % Kept] = sample;
        }
    }

    private OverviewTotals ReadTotals()
    {
        var (counters, admission) = (publishing.Counters, transport.Admission);
        return new OverviewTotals(
            counters.Notifications, counters.Messages + counters.StreamBatches,
            server.Counters.TotalRequests + admission.Stages.Admitted(AdmissionStage.Http),
            admission.Stages.TotalShedded, Environment.CpuUsage.TotalTime);
    }

    [LoggerMessage(EventId = 5511, Level = LogLevel.Error, Message = "A sample of the overview failed")]
    private partial void LogSampleFailed(Exception error);
}
