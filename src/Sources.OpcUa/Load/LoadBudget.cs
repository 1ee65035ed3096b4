namespace Gateway.Sources.OpcUa.Load;

/// <summary>The part of an <see cref="UpstreamBudget"/> that a refusal is about. Metrics write them in
/// <c>snake_case</c>.</summary>
public enum LoadBudget
{
    /// <summary>Monitored items: the node says Bad_TooManyMonitoredItems.</summary>
    Items,

    /// <summary>Requests in a second.</summary>
    Requests,

    /// <summary>Values that are read in a second.</summary>
    Reads,

    /// <summary>Requests at a time.</summary>
    Concurrency,

    /// <summary>Requests that wait: <see cref="UpstreamLimits.MaxUpstreamWaitingRequests"/>.</summary>
    Waiting,
}
