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

    /// <summary>As the server revised it.</summary>
    TimeSpan SessionTimeout { get; }

    ValueTask<GrantedSubscription> SubscribeAsync(
        SubscriptionSettings settings, ISubscriptionHandler handler, CancellationToken cancellation);

    /// <summary>Resumed with it: it waits for <see cref="RecoverAsync"/>.</summary>
    bool Has(GrantedSubscription subscription);

    /// <summary>See <c>ClientSession.RecoverAsync</c>.</summary>
    ValueTask<long> RecoverAsync(CancellationToken cancellation);

    /// <summary>Deletes a subscription that it has made, or was resumed with; nothing of another one.
    /// Errors: as <see cref="ClientSubscription.DeleteAsync"/>.</summary>
    ValueTask UnsubscribeAsync(GrantedSubscription subscription, CancellationToken cancellation);

    /// <summary>Closes the connection without a message to the server.</summary>
    void Abort();
}
