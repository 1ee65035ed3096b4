namespace Gateway.Rest.Upstreams;

/// <summary>Tries connections to upstreams before they are saved. Threads: any.</summary>
public interface IUpstreamTests
{
    /// <summary>All that is wrong with the request, before anything is tried.</summary>
    IReadOnlyList<string> Check(UpstreamTestRequest request);

    /// <param name="request">Without a fault.</param>
    /// <param name="cancellation">Ends the try.</param>
    Task<IReadOnlyList<UpstreamTestStep>> TryAsync(UpstreamTestRequest request, CancellationToken cancellation);
}
