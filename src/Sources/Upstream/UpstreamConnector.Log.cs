using Microsoft.Extensions.Logging;

namespace Gateway.Sources.Upstream;

internal sealed partial class UpstreamConnector
{
    [LoggerMessage(5001, LogLevel.Information,
        "Upstream {Upstream} at {EndpointUrl} is connected, publishing every {IntervalMs} ms")]
    private partial void Connected(string upstream, string endpointUrl, double intervalMs);

    [LoggerMessage(5002, LogLevel.Information,
        "Upstream {Upstream}: {Nodes} nodes, {Added} added and {Removed} removed, in {Seconds:0.0} s")]
    private partial void Synchronized(string upstream, int nodes, int added, int removed, double seconds);

    [LoggerMessage(5003, LogLevel.Warning,
        "Upstream {Upstream} is away: {Reason}. Its nodes carry Bad_NoCommunication until it is back")]
    private partial void Disconnected(string upstream, string reason);

    [LoggerMessage(5004, LogLevel.Warning,
        "Upstream {Upstream} at {EndpointUrl}: attempt {Attempt} failed, next in {Seconds:0.0} s. {Reason}")]
    private partial void ConnectFailed(
        string upstream, string endpointUrl, int attempt, double seconds, string reason);

    [LoggerMessage(5005, LogLevel.Warning,
        "Upstream {Upstream}: namespace {Uri} is taken already; its nodes are served in {Became}")]
    private partial void NamespaceRenamed(string upstream, string uri, string became);

    [LoggerMessage(5006, LogLevel.Warning,
        "Upstream {Upstream}: {Skipped} references lead past the {MaxNodes} nodes of MaxNodes and were left out")]
    private partial void NodesSkipped(string upstream, int skipped, int maxNodes);

    [LoggerMessage(5007, LogLevel.Warning, "Upstream {Upstream} has no node {Root} (Upstreams:Roots)")]
    private partial void RootUnknown(string upstream, string root);

    [LoggerMessage(5008, LogLevel.Warning,
        "Upstream {Upstream} leaves most requests unanswered: none is sent for {Seconds:0} s")]
    private partial void CircuitBroke(string upstream, double seconds);
}
