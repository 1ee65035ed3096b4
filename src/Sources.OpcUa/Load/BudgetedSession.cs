using Gateway.Client;
using Gateway.Client.Subscriptions;
using Gateway.Codec.Binary;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Sources.OpcUa.Sessions;

namespace Gateway.Sources.OpcUa.Load;

/// <summary>A session whose requests go when the upstream's budget has room for them. A request that the upstream
/// refuses for its size goes in parts, and so do later ones. Errors, besides those of a session:
/// <see cref="UpstreamBudgetException"/>, for clients only.</summary>
/// <param name="session">Of the upstream.</param>
/// <param name="gate">Of its budget.</param>
/// <param name="sizes">That it takes.</param>
/// <param name="time">Of its answers.</param>
/// <param name="maxAnswerBytes">Of the values of one answer, also where it comes in parts (R42).</param>
/// <param name="client">For which it asks; null: the gateway itself.</param>
/// <param name="onSend">Called when a request goes, and has not only waited.</param>
internal sealed class BudgetedSession(
    IUpstreamSession session, RequestGate gate, LearnedSizes sizes, TimeProvider time, long maxAnswerBytes,
    string? client = null, Action? onSend = null)
    : IUpstreamSession
{
    public EndpointDescription Endpoint => session.Endpoint;

    public Task<StatusCode> Closed => session.Closed;

    private bool IsOwn => client is null;

    /// <summary>The same session, with requests on behalf of a client.</summary>
    public BudgetedSession For(string account) => new(session, gate, sizes, time, maxAnswerBytes, account);

    /// <summary>The same session, which says when a request goes.</summary>
    public BudgetedSession Telling(Action whenItGoes) =>
        new(session, gate, sizes, time, maxAnswerBytes, client, whenItGoes);

    public async ValueTask<TResponse> InvokeAsync<TRequest, TResponse>(
        TRequest request, CancellationToken cancellation)
        where TRequest : class, IServiceRequest
        where TResponse : IStructure<TResponse>
    {
        var operations = RequestParts.Operations(request);
        var most = sizes.Most(request, IsOwn);
        if (operations <= most)
        {
            try
            {
                return await SendAsync<TRequest, TResponse>(request, cancellation).ConfigureAwait(false);
            }
            catch (ServiceException refused) when (operations > 1 && RequestParts.IsTooLarge(refused.Status))
            {
                most = sizes.Refused(request, operations, refused.Status, IsOwn);
            }
        }

        return (TResponse)await InPartsAsync<TRequest, TResponse>(request, operations, most, cancellation)
            .ConfigureAwait(false);
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

    private async ValueTask<IStructure> InPartsAsync<TRequest, TResponse>(
        TRequest request, int operations, int most, CancellationToken cancellation)
        where TRequest : class, IServiceRequest
        where TResponse : IStructure<TResponse>
    {
        var allowance = new ValueAllowance(maxAnswerBytes);
        List<(IStructure, int)> answers = [];
        for (var done = 0; done < operations;)
        {
            if (allowance.IsSpent)
            {
                answers.Add((RequestParts.TooLarge(operations - done), operations - done));
                break;
            }

            var count = Math.Min(operations - done, Math.Min(most, sizes.Most(request, IsOwn)));
            var part = (TRequest)RequestParts.Part(request, done, count);
            try
            {
                var answer = await SendAsync<TRequest, TResponse>(part, cancellation).ConfigureAwait(false);
                RequestParts.Keep(answer, allowance);
                answers.Add((answer, count));
                done += count;
            }
            catch (ServiceException refused) when (count > 1 && RequestParts.IsTooLarge(refused.Status))
            {
                most = sizes.Refused(request, count, refused.Status, IsOwn);
            }
            catch (Exception failure) when (done > 0 && StatusOf(failure) is { } status &&
                RequestParts.Refused(RequestParts.Part(request, done, operations - done), status) is { } rest)
            {
                answers.Add((rest, operations - done));
                break;
            }
        }

        return RequestParts.Join(answers);
    }

    private async ValueTask<TResponse> SendAsync<TRequest, TResponse>(
        TRequest request, CancellationToken cancellation)
        where TRequest : class, IServiceRequest
        where TResponse : IStructure<TResponse>
    {
        var shape = RequestShape.Of(request);
        await gate.EnterAsync(shape, client, cancellation).ConfigureAwait(false);
        onSend?.Invoke();
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
            // For many operations it is a word on their number, and not on the load.
            var isSize = shape.Operations > 1 && RequestParts.IsTooLarge(failure.Status);
            outcome = isSize ? null : failure.Status;
            throw;
        }
        finally
        {
            gate.Leave(shape, sentAt, outcome);
        }
    }

    private static StatusCode? StatusOf(Exception failure) => failure switch
    {
        ServiceException { IsConnectionLost: true } => StatusCodes.BadNoCommunication,
        ServiceException service => service.Status,
        UpstreamBudgetException => (StatusCode)UpstreamBudgetException.Status,
        _ => null,
    };
}
