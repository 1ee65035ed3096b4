using Gateway.Client;
using Microsoft.Extensions.Logging;

namespace Gateway.Sources.OpcUa;

internal sealed partial class UpstreamConnector
{
    [LoggerMessage(5001, LogLevel.Information,
        "Upstream {Upstream} at {EndpointUrl} is connected, publishing every {IntervalMs} ms")]
    private partial void Connected(string upstream, string endpointUrl, double intervalMs);

    [LoggerMessage(5008, LogLevel.Warning,
        "Upstream {Upstream} leaves most requests unanswered: the gateway sends none for {Seconds:0} s")]
    private partial void CircuitBroke(string upstream, double seconds);

    [LoggerMessage(5067, LogLevel.Warning,
        "Upstream {Upstream} has no subscription for the gateway ({Reason}): watched nodes are read instead, "
            + "{Reads} values a second at most")]
    private partial void NoSubscription(string upstream, string reason, int reads);

    [LoggerMessage(5075, LogLevel.Information,
        "Upstream {Upstream} grants queues of {Granted} values where {Asked} were asked for: a break may lose changes "
            + "sooner")]
    private partial void ShortQueue(string upstream, uint granted, uint asked);

    [LoggerMessage(5062, LogLevel.Information,
        "Upstream {Upstream} is back after {Seconds:0.0} s and goes on ({Kind}); Republish brought {Messages} "
            + "messages")]
    private partial void Resumed(string upstream, double seconds, ResumeKind kind, long messages);

    [LoggerMessage(5063, LogLevel.Warning,
        "Upstream {Upstream} is back after {Seconds:0.0} s, but its subscription is gone ({Kind}): changes of its "
            + "items in between are lost")]
    private partial void SubscriptionGone(string upstream, double seconds, ResumeKind kind);
}
