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

    public async ValueTask<(uint Id, double PublishingIntervalMs)> SubscribeAsync(
        SubscriptionSettings settings, ISubscriptionHandler handler, CancellationToken cancellation)
    {
        var subscription = await session.CreateSubscriptionAsync(settings, handler, cancellation)
            .ConfigureAwait(false);
        return (subscription.Id, subscription.PublishingIntervalMs);
    }

    public void Abort() => session.Abort();

    public ValueTask DisposeAsync() => session.DisposeAsync();
}
