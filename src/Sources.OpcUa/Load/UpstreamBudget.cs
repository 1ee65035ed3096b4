namespace Gateway.Sources.OpcUa.Load;

/// <summary>The load that the gateway puts on one upstream at most. <see cref="LoadControl"/> stays below it while the
/// upstream is slow. Publish is no request of it: an upstream holds it until there is something to say.</summary>
/// <param name="MaxItems">Monitored items; 0: all that is watched is read.</param>
/// <param name="MaxConcurrentRequests">Requests that wait for their answers.</param>
/// <param name="MaxRequestsPerSecond">Of all services.</param>
/// <param name="MaxReadsPerSecond">Values that Reads ask for; other attributes do not count.</param>
public sealed record UpstreamBudget(
    int MaxItems, int MaxConcurrentRequests, int MaxRequestsPerSecond, int MaxReadsPerSecond);
