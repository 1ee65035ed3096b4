using System.Diagnostics.CodeAnalysis;
using Gateway.Codec.Structures;
using Gateway.Sources.OpcUa.Load;
using Gateway.Sources.Upstreams;
using Gateway.Transport.Security;

namespace Gateway.Sources.OpcUa.Health;

/// <summary>The status of one upstream for operators. State: that of the connector's loop, which alone writes it.
/// Threads: any reads.</summary>
internal sealed class UpstreamHealth
{
    private UpstreamOptions _options;
    private readonly UpstreamMetrics _metrics;
    private readonly UpstreamLoad _load;
    private readonly TimeProvider _time;
    private volatile UpstreamReport _report;
    private bool _isLimited;

    public UpstreamHealth(UpstreamOptions options, UpstreamMetrics metrics, UpstreamLoad load, TimeProvider time)
    {
        (_metrics, _load) = (metrics, load);
        _time = time;
        Configure(options);
    }

    public UpstreamReport Report => _report with
    {
        Bounds = [.. _metrics.BoundsMet().Select(static met => (met.Bound.ToString(), met.Count))],
        Counts = _metrics.Counts,
        Latency = _metrics.Latency,
        Load = _load.Report,
    };

    /// <summary>It begins with these options. The connector's loop has ended, or not begun.</summary>
    [MemberNotNull(nameof(_options), nameof(_report))]
    public void Configure(UpstreamOptions options)
    {
        _options = options;
        _report = new UpstreamReport
        {
            Name = options.Name,
            Driver = OpcUaDriver.Key,
            EndpointUrl = options.EndpointUrl,
            State = SourceState.Connecting,
            Since = _time.GetUtcNow(),
            SecurityPolicy = NameOf(options.SecurityPolicyUri),
            SecurityMode = options.RequiredMode,
            InsecureReason = options.InsecureReason,
            Counts = new UpstreamCounts(),
        };
    }

    /// <param name="endpoint">Of the session.</param>
    /// <param name="isLoaded">It goes on with the nodes of before.</param>
    public void Connected(EndpointDescription endpoint, bool isLoaded) => Set(_report with
    {
        State = !isLoaded ? SourceState.Loading : _isLimited ? SourceState.Limited : SourceState.Online,
        SecurityPolicy = NameOf(endpoint.SecurityPolicyUri),
        SecurityMode = endpoint.SecurityMode,
        // The advice has been followed, or was not needed.
        Remedy = null,
    });

    public void Loaded(int nodes, int namespaces, bool isLimited)
    {
        _isLimited = isLimited;
        Set(_report with
        {
            State = isLimited ? SourceState.Limited : SourceState.Online,
            Nodes = nodes,
            Namespaces = namespaces,
        });
    }

    public void Failed(UpstreamFailure failure) => Set(_report with
    {
        State = failure.IsRefusal ? SourceState.Faulted : SourceState.Away,
        SecurityPolicy = NameOf(_options.SecurityPolicyUri),
        SecurityMode = _options.RequiredMode,
        LastError = failure.Text,
        LastErrorAt = _time.GetUtcNow(),
        Remedy = failure.Remedy,
    });

    private void Set(UpstreamReport report) =>
        _report = report.State == _report.State ? report : report with { Since = _time.GetUtcNow() };

    private static string NameOf(string? policyUri) =>
        SecurityPolicies.TryGet(policyUri, out var policy) ? policy.Name : "";
}
