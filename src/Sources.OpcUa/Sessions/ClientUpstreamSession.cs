using Gateway.Client;
using Gateway.Client.Subscriptions;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.Sources.OpcUa.Sessions;

internal sealed class ClientUpstreamSession(ClientSession session) : IUpstreamSession
{
    public EndpointDescription Endpoint => session.Endpoint;

    public Task<StatusCode> Closed => session.Closed;

    public ValueTask<TResponse> InvokeAsync<TRequest, TResponse>(TRequest request, CancellationToken cancellation)
        where TRequest : class, IServiceRequest
        where TResponse : IStructure<TResponse> =>
        session.InvokeAsync<TRequest, TResponse>(request, cancellation);

    public ClientSession Session => session;

    public TimeSpan SessionTimeout => session.SessionTimeout;

    public async ValueTask<GrantedSubscription> SubscribeAsync(
        SubscriptionSettings settings, ISubscriptionHandler handler, CancellationToken cancellation)
    {
        var subscription = await session.CreateSubscriptionAsync(settings, handler, cancellation)
            .ConfigureAwait(false);
        return new GrantedSubscription(
            subscription.Id, subscription.PublishingIntervalMs, subscription.Lifetime)
        {
            Made = subscription,
        };
    }

    public bool Has(GrantedSubscription subscription) => Find(subscription) is not null;

    public ValueTask<long> RecoverAsync(CancellationToken cancellation) => session.RecoverAsync(cancellation);

    public async ValueTask UnsubscribeAsync(GrantedSubscription subscription, CancellationToken cancellation)
    {
        if (Find(subscription) is { } found)
            await found.DeleteAsync(cancellation).ConfigureAwait(false);
    }

    private ClientSubscription? Find(GrantedSubscription subscription) =>
        session.Find(subscription.Id) is { } found && found == subscription.Made ? found : null;

    public void Abort() => session.Abort();

    public ValueTask DisposeAsync() => session.DisposeAsync();
}
