using Gateway.Client.Subscriptions;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.Sources.OpcUa.Sessions;

/// <summary>A session that tells how long each answer took. Publish is not among the requests: an upstream holds it
/// until there is something to say. A request without an answer has no latency; the failure tells it.</summary>
internal sealed class MeasuredSession(IUpstreamSession session, TimeProvider time, Action<TimeSpan> answered)
    : IUpstreamSession
{
    public EndpointDescription Endpoint => session.Endpoint;

    public Task<StatusCode> Closed => session.Closed;

    public async ValueTask<TResponse> InvokeAsync<TRequest, TResponse>(
        TRequest request, CancellationToken cancellation)
        where TRequest : class, IServiceRequest
        where TResponse : IStructure<TResponse>
    {
        var since = time.GetTimestamp();
        var response = await session.InvokeAsync<TRequest, TResponse>(request, cancellation).ConfigureAwait(false);
        answered(time.GetElapsedTime(since));
        return response;
    }

    public TimeSpan SessionTimeout => session.SessionTimeout;

    public ValueTask<GrantedSubscription> SubscribeAsync(
        SubscriptionSettings settings, ISubscriptionHandler handler, CancellationToken cancellation) =>
        session.SubscribeAsync(settings, handler, cancellation);

    public bool Has(GrantedSubscription subscription) => session.Has(subscription);

    public ValueTask<long> RecoverAsync(CancellationToken cancellation) => session.RecoverAsync(cancellation);

    public ValueTask UnsubscribeAsync(GrantedSubscription subscription, CancellationToken cancellation) =>
        session.UnsubscribeAsync(subscription, cancellation);

    public void Abort() => session.Abort();

    public ValueTask DisposeAsync() => session.DisposeAsync();
}
