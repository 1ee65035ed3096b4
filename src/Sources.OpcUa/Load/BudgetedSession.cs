using Gateway.Client;
using Gateway.Client.Subscriptions;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Sources.OpcUa.Sessions;

namespace Gateway.Sources.OpcUa.Load;

/// <summary>A session whose requests go when the upstream's budget has room for them. Errors, besides those of a
/// session: <see cref="UpstreamBudgetException"/>, for clients only.</summary>
/// <param name="session">Of the upstream.</param>
/// <param name="gate">Of its budget.</param>
/// <param name="time">Of its answers.</param>
/// <param name="client">For which it asks; null: the gateway itself.</param>
internal sealed class BudgetedSession(
    IUpstreamSession session, RequestGate gate, TimeProvider time, string? client = null) : IUpstreamSession
{
    public EndpointDescription Endpoint => session.Endpoint;

    public Task<StatusCode> Closed => session.Closed;

    /// <summary>The same session, with requests on behalf of a client.</summary>
    public BudgetedSession For(string account) => new(session, gate, time, account);

    public async ValueTask<TResponse> InvokeAsync<TRequest, TResponse>(
        TRequest request, CancellationToken cancellation)
        where TRequest : class, IServiceRequest
        where TResponse : IStructure<TResponse>
    {
        var shape = RequestShape.Of(request);
        await gate.EnterAsync(shape, client, cancellation).ConfigureAwait(false);
        var sentAt = time.GetTimestamp();
        StatusCode? outcome = null;
        try
        {
            var response = await session.InvokeAsync<TRequest, TResponse>(request, cancellation).ConfigureAwait(false);
            outcome = StatusCode.Good;
            return response;
        }
        catch (ServiceException failure)
        {
            outcome = failure.Status;
            throw;
        }
        finally
        {
            gate.Leave(shape, sentAt, outcome);
        }
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
