namespace Gateway.Sources.Upstreams;

/// <summary>How long an upstream's last answers took, from the request to the decoded answer.</summary>
/// <param name="Last">The newest.</param>
/// <param name="Mean">Of all that are counted here.</param>
/// <param name="Worst">The same.</param>
/// <param name="Requests">So many are counted here.</param>
public sealed record LatencyReport(TimeSpan Last, TimeSpan Mean, TimeSpan Worst, int Requests);
