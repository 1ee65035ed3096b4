using Gateway.Operations;
using Gateway.Rest.Answers;
using Microsoft.AspNetCore.Http;
using StatusCodes = Gateway.Codec.Types.StatusCodes;

namespace Gateway.Rest.Access;

/// <summary>Runs a request's work as its caller and within its time. Thread-safe.</summary>
internal sealed class RestRequests(RestLimits limits, OperationLimits operations, TurnLane lane)
{
    /// <summary>After the time it is answered 504, unless some of the answer has left.</summary>
    /// <param name="context">Of the request.</param>
    /// <param name="work">Answers it.</param>
    public async Task RunAsync(HttpContext context, Func<RestRequest, Task> work)
    {
        using var deadline = new CancellationTokenSource(limits.HttpRequestTimeout, lane.Time);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(deadline.Token, context.RequestAborted);
        using var request = new RestRequest(RestCaller.Of(context), operations, lane, either.Token);
        try
        {
            await work(request).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (deadline.IsCancellationRequested && !context.Response.HasStarted)
        {
            await Problem.WriteAsync(context, StatusCodes.BadTimeout).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (either.IsCancellationRequested)
        {
            context.Abort();
        }
    }
}
