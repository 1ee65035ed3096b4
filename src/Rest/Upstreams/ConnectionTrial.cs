namespace Gateway.Rest.Upstreams;

/// <summary>A try to connect that somebody asks for.</summary>
/// <param name="Address">Where to.</param>
/// <param name="Faults">All that is wrong with the request, before anything is tried.</param>
/// <param name="TryAsync">Where nothing is wrong.</param>
internal sealed record ConnectionTrial(
    string Address, IReadOnlyList<string> Faults,
    Func<CancellationToken, Task<IReadOnlyList<UpstreamTestStep>>> TryAsync);
