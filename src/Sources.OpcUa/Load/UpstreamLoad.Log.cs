using Microsoft.Extensions.Logging;

namespace Gateway.Sources.OpcUa.Load;

internal sealed partial class UpstreamLoad
{
    [LoggerMessage(5064, LogLevel.Warning,
        "Upstream {Upstream}: its load budget refuses ({Budget}, {Count} times since the last such line): {Reason}")]
    private partial void RefusedByBudget(string upstream, LoadBudget budget, long count, string reason);

    [LoggerMessage(5065, LogLevel.Warning,
        "Upstream {Upstream} has too much to do ({Cause}): it is asked for less, {Concurrency} requests at a time and "
            + "{Percent} % of its budget's pace")]
    private partial void AskedForLess(string upstream, LoadCause cause, int concurrency, int percent);

    [LoggerMessage(5066, LogLevel.Information, "Upstream {Upstream} gets the whole of its load budget again")]
    private partial void AskedForAll(string upstream);
}
