namespace Gateway.Rest.Upstreams;

/// <summary>Tries connections to brokers before they are saved. Threads: any.</summary>
public interface IBrokerTests
{
    /// <summary>All that is wrong with the request, before anything is tried.</summary>
    IReadOnlyList<string> Check(BrokerTestRequest request);

    /// <param name="request">Without a fault.</param>
    /// <param name="cancellation">Ends the try.</param>
    Task<IReadOnlyList<UpstreamTestStep>> TryAsync(BrokerTestRequest request, CancellationToken cancellation);
}
