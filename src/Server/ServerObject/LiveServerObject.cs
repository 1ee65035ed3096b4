using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Sources;
using Gateway.AddressSpace.Values;
using Gateway.Codec.Types;
using Gateway.Publish;
using Gateway.Transport.Timing;
using Microsoft.Extensions.Logging;

namespace Gateway.Server.ServerObject;

/// <summary>
/// The values of the Server object. Constant ones go into the store once. The others are computed at each Read, and go
/// into the store every second for subscribers. Nodes that the table lacks are left out.
/// </summary>
internal sealed partial class LiveServerObject : ISampledSource, IDisposable
{
    private static readonly TimeSpan RefreshInterval = TimeSpan.FromSeconds(1);

    private readonly NodeTable _nodes;
    private readonly ValueStore _values;
    private readonly ServiceLevel _level;
    private readonly TimeProvider _clock;
    private readonly ILogger _logger;
    private readonly Dictionary<NodeHandle, Func<Variant>> _live = [];
    private readonly ITimer _timer;

    public LiveServerObject(
        ServerOptions options, PublishLimits publish, NodeTable nodes, ValueStore values, ServerLifetime lifetime,
        ServiceLevel level, TimeProvider clock, ILogger<LiveServerObject> logger)
    {
        _logger = logger;
        _nodes = nodes;
        _values = values;
        _level = level;
        _clock = clock;
        foreach (var (id, value) in ServerValues.Of(options, publish, nodes.Locales, lifetime))
        {
            if (nodes.Find(new NodeId(id)) is { IsNone: false } node)
                values.Set(node, new DataValue(value, StatusCode.Good, lifetime.StartTime, lifetime.StartTime));
        }

        foreach (var (id, value) in LiveValues.Of(options, nodes, lifetime, level))
        {
            if (nodes.Find(new NodeId(id)) is not { IsNone: false } node)
                continue;
            _live[node] = value;
            nodes.SetSource(node, this);
        }

        ServerNodes.FillGaps(nodes, values, lifetime.StartTime);
        Refresh();
        _timer = Contained.Every(clock, RefreshInterval, Refresh, LogRefreshFailed);
    }

    /// <summary>The nodes of ServerCapabilities that say a limit have its value of now.</summary>
    public void FollowLimits(ServerLimits limits, PublishLimits publish)
    {
        var now = _clock.GetUtcNow().UtcDateTime;
        var batch = _values.BeginBatch();
        foreach (var (id, value) in ServerValues.LimitsOf(limits, publish))
        {
            if (_nodes.Find(new NodeId(id)) is { IsNone: false } node)
                batch.Set(node, new DataValue(value, StatusCode.Good, now, now));
        }

        batch.Commit();
    }

    public void Refresh()
    {
        _level.Refresh();
        var now = _clock.GetUtcNow().UtcDateTime;
        var batch = _values.BeginBatch();
        foreach (var (node, value) in _live)
            batch.Set(node, new DataValue(value(), StatusCode.Good, now, now));
        batch.Commit();
    }

    [LoggerMessage(
        EventId = 3012, Level = LogLevel.Error,
        Message = "A fault of ours ended a refresh of the Server object's values. The next one comes in a second")]
    private partial void LogRefreshFailed(Exception exception);

    public void Dispose() => _timer.Dispose();

    public double SamplingIntervalMs(NodeHandle node) => RefreshInterval.TotalMilliseconds;

    public bool TryRead(NodeHandle node, double maxAgeMs, out DataValue value)
    {
        var now = _clock.GetUtcNow().UtcDateTime;
        value = _live.TryGetValue(node, out var read)
            ? new DataValue(read(), StatusCode.Good, now, now)
            : _values.Read(node);
        return true;
    }
}
