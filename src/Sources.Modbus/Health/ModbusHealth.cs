using Gateway.Codec.Structures;
using Gateway.Sources.Modbus.Options;
using Gateway.Sources.Upstreams;

namespace Gateway.Sources.Modbus.Health;

/// <summary>The status of one device for operators. Threads: any.</summary>
internal sealed class ModbusHealth(ModbusOptions options, ModbusMetrics metrics, TimeProvider time)
{
    private readonly Lock _lock = new();
    private UpstreamReport _report = new()
    {
        Name = options.Name,
        Driver = ModbusDriver.Key,
        EndpointUrl = options.EndpointUrl,
        State = SourceState.Connecting,
        Since = time.GetUtcNow(),
        SecurityMode = MessageSecurityMode.None,
        InsecureReason = "Modbus TCP knows no security: keep the device in a network of its own, which only the "
            + "gateway reaches",
        Nodes = options.Tags.Count,
        Namespaces = 1,
        Counts = new UpstreamCounts(),
    };

    /// <param name="watched">Tags that somebody watches now.</param>
    public UpstreamReport Report(int watched)
    {
        lock (_lock)
            return _report with { Counts = metrics.Counts(watched), Latency = metrics.Latency };
    }

    public void Connected() => Set(report => report with { State = SourceState.Online, Remedy = null });

    public void Failed(ModbusFailure failure) => Set(report => report with
    {
        State = failure.IsRefusal ? SourceState.Faulted : SourceState.Away,
        LastError = failure.Text,
        LastErrorAt = time.GetUtcNow(),
        Remedy = failure.Remedy,
    });

    /// <summary>The device refuses a tag; the others are served.</summary>
    public void Refused(string words) => Set(report => report with
    {
        LastError = words,
        LastErrorAt = time.GetUtcNow(),
    });

    private void Set(Func<UpstreamReport, UpstreamReport> change)
    {
        lock (_lock)
        {
            var next = change(_report);
            _report = next.State == _report.State ? next : next with { Since = time.GetUtcNow() };
        }
    }
}
