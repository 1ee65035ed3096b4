using System.Diagnostics.Metrics;
using Gateway.Sources.Modbus.Protocol;
using Gateway.Sources.Upstreams;

namespace Gateway.Sources.Modbus.Health;

/// <summary>One device's counts, in its report and as instruments of the meter <c>Gateway.Sources.Modbus</c>, which
/// live as long as the process. Threads: any.</summary>
internal sealed class ModbusMetrics(string upstream)
{
    public const string MeterName = "Gateway.Sources.Modbus";

    private static readonly Meter Meter = new(MeterName);

    private static readonly Counter<long> Requests = Meter.CreateCounter<long>(
        "gateway_modbus_requests_total", null,
        "Requests to the device by what became of them: answered, refused by an exception code, timeout, connection "
        + "lost, or garbage.");

    private static readonly Counter<long> ConnectCount = Meter.CreateCounter<long>(
        "gateway_modbus_connects_total", null, "Connections established with the device.");

    private static readonly Counter<long> FailureCount = Meter.CreateCounter<long>(
        "gateway_modbus_connect_failures_total", null, "Attempts to connect that failed.");

    private readonly KeyValuePair<string, object?> _tag = new("upstream", upstream);
    private readonly RequestLatency _latency = new();
    private long _connects;
    private long _failures;
    private long _values;

    public LatencyReport? Latency => _latency.Read();

    public UpstreamCounts Counts(int watched) => new()
    {
        Connects = Volatile.Read(ref _connects),
        ConnectFailures = Volatile.Read(ref _failures),
        Notifications = Volatile.Read(ref _values),
        MonitoredItems = watched,
    };

    public void Connected()
    {
        Interlocked.Increment(ref _connects);
        ConnectCount.Add(1, _tag);
    }

    public void ConnectFailed()
    {
        Interlocked.Increment(ref _failures);
        FailureCount.Add(1, _tag);
    }

    /// <param name="took">From the wait for its turn to the answer.</param>
    public void Answered(TimeSpan took)
    {
        _latency.Add(took);
        Requests.Add(1, _tag, new("outcome", "answered"));
    }

    public void Failed(ModbusFault fault) => Requests.Add(1, _tag, new("outcome", fault switch
    {
        ModbusFault.Refused => "refused",
        ModbusFault.Timeout => "timeout",
        ModbusFault.Garbage => "garbage",
        _ => "connection_lost",
    }));

    public void Read(int values) => Interlocked.Add(ref _values, values);
}
