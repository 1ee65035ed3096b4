using Gateway.Client.Subscriptions;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.Sources.OpcUa.Sessions;

/// <summary>The members of a client's session that a connector needs; a fake in tests. Errors:
/// <c>ServiceException</c>.</summary>
internal interface IUpstreamSession : IAsyncDisposable
{
    /// <summary>By which the session is made.</summary>
    EndpointDescription Endpoint { get; }

    /// <summary>Ends with the connection.</summary>
    Task<StatusCode> Closed { get; }

    ValueTask<TResponse> InvokeAsync<TRequest, TResponse>(TRequest request, CancellationToken cancellation)
        where TRequest : class, IServiceRequest
        where TResponse : IStructure<TResponse>;

    /// <returns>The subscription's id and its revised publishing interval.</returns>
    ValueTask<(uint Id, double PublishingIntervalMs)> SubscribeAsync(
        SubscriptionSettings settings, ISubscriptionHandler handler, CancellationToken cancellation);

    /// <summary>Closes the connection without a message to the server.</summary>
    void Abort();
}
