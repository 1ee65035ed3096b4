using System.Net;
using Gateway.Operations;
using Gateway.Operations.Access;
using Gateway.Rest.Answers;
using Gateway.Rest.Bodies;
using Gateway.Transport.Timing;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Logging;
using StatusCode = Gateway.Codec.Types.StatusCode;
using StatusCodes = Gateway.Codec.Types.StatusCodes;

namespace Gateway.Rest.Access;

/// <summary>Runs a request's work as its caller and within its deadline. An internal error or an error of a source ends
/// one request only. Thread-safe.</summary>
internal sealed partial class RestRequests(
    RestLimits limits, OperationLimits operations, TurnLane lane, AnswerSender sender, BodyReader bodies,
    RequestMemories memories, ILogger<RestRequests> logger)
{
    /// <summary>After the time it is answered 504, unless some of the answer has left.</summary>
    /// <param name="context">Of the request.</param>
    /// <param name="work">Answers it.</param>
    public Task RunAsync(HttpContext context, Func<RestRequest, Task> work) =>
        RunAsync(context, work, static (_, request, work) => work(request));

    /// <summary>The same for work that often ends at once: then nothing is made for the wait.</summary>
    /// <param name="context">Of the request.</param>
    /// <param name="state">Given to the work.</param>
    /// <param name="work">Answers it.</param>
    public Task RunAsync<T>(HttpContext context, T state, Func<HttpContext, RestRequest, T, Task> work)
    {
        RestRequest? request = null;
        Task answer;
        try
        {
            context.Features.Set(sender);
            request = Begin(RestCaller.Of(context), context.Connection.RemoteIpAddress, context.RequestAborted);
            answer = work(context, request, state);
        }
#pragma warning disable CA1031 // It is not lost: the task has it.
        catch (Exception error)
#pragma warning restore CA1031
        {
            answer = Task.FromException(error);
        }

        if (request is null || !answer.IsCompletedSuccessfully)
            return WaitAsync(context, request, answer);
        request.Dispose();
        return answer;
    }

    /// <summary>The same, behind the body. The work of a large one waits for the other requests that are larger than a
    /// turn. The body is given back at the end, unless the work has done it before.</summary>
    /// <param name="context">Of the request.</param>
    /// <param name="work">Answers it.</param>
    public Task RunAsync(HttpContext context, Func<RestRequest, RequestBody, Task> work) => ContainAsync(
        context, (Requests: this, Context: context, Work: work),
        static of => of.Requests.RunWithBodyAsync(of.Context, of.Work));

    /// <summary>The same for an operation that a message of a WebSocket asks for. Returns Bad_Timeout after the time,
    /// and for a fault what <see cref="Contained.Answer"/> says. Errors: OperationCanceledException;
    /// <see cref="AnswerEndedException"/>.</summary>
    /// <param name="caller">Its user.</param>
    /// <param name="address">Of the client.</param>
    /// <param name="work">The operation.</param>
    /// <param name="gone">The client has gone.</param>
    public async Task<StatusCode> RunAsync(
        Caller caller, IPAddress? address, Func<RestRequest, Task> work, CancellationToken gone)
    {
        try
        {
            var request = Begin(caller, address, gone);
            return await IsInTimeAsync(request, Start(request, work, static (request, work) => work(request)), gone)
                .ConfigureAwait(false)
                ? StatusCode.Good
                : StatusCodes.BadTimeout;
        }
#pragma warning disable CA1031 // A source is not ours, and its fault is of this operation alone.
        catch (Exception error) when (error is not (OperationCanceledException or AnswerEndedException))
#pragma warning restore CA1031
        {
            return Contained.Answer(error, LogFailed);
        }
    }

    /// <summary>Without a time of its own. An exception of the work becomes a problem, or the end of the connection
    /// where some of the answer has left (R40).</summary>
    /// <param name="context">Of the request.</param>
    /// <param name="work">Answers it.</param>
    /// <param name="fault">Answers in the place of work that failed; null: by a problem.</param>
    public Task ContainAsync(HttpContext context, Func<Task> work, Func<StatusCode, Task>? fault = null) =>
        ContainAsync(context, work, static work => work(), fault);

    private async Task ContainAsync<T>(
        HttpContext context, T state, Func<T, Task> work, Func<StatusCode, Task>? fault = null)
    {
        context.Features.Set(sender);
        try
        {
            await work(state).ConfigureAwait(false);
        }
        catch (AnswerEndedException)
        {
            // The thrower has written the problem or aborted the connection.
        }
        catch (OperationCanceledException) when (context.RequestAborted.IsCancellationRequested)
        {
            context.Abort();
        }
#pragma warning disable CA1031 // A source is not ours, and its fault is of this request alone.
        catch (Exception error)
#pragma warning restore CA1031
        {
            var status = Contained.Answer(error, LogFailed);
            if (context.Response.HasStarted)
            {
                context.Abort();
                return;
            }

            AnswerStart.Over(context.Response);
            await (fault?.Invoke(status) ?? Problem.WriteAsync(context, status)).ConfigureAwait(false);
        }
    }

    private async Task RunWithBodyAsync(HttpContext context, Func<RestRequest, RequestBody, Task> work)
    {
        if (await bodies.ReadAsync(context).ConfigureAwait(false) is not { } body)
            return;
        try
        {
            var request = Begin(RestCaller.Of(context), context.Connection.RemoteIpAddress, context.RequestAborted);
            await AnswerInTimeAsync(context, request, Start(
                request, (Requests: this, Body: body, Work: work),
                static (request, of) => of.Requests.WorkAsync(request, of.Body, of.Work))).ConfigureAwait(false);
        }
        finally
        {
            bodies.Return(body);
        }
    }

    private Task WorkAsync(RestRequest request, RequestBody body, Func<RestRequest, RequestBody, Task> work)
    {
        return body.Buffer.Length > memories.MaxImmediateBytes ? WorkInLaneAsync() : work(request, body);

        async Task WorkInLaneAsync()
        {
            await request.NextAsync().ConfigureAwait(false);
            await work(request, body).ConfigureAwait(false);
        }
    }

    /// <summary>The request is the caller's, who disposes it.</summary>
    private RestRequest Begin(Caller caller, IPAddress? address, CancellationToken gone) => new(
        caller, operations, lane, memories.Begin(address), limits.HttpRequestTimeout, gone);

    /// <summary>A fault is one of the task, also where the work is no async method.</summary>
    private static Task Start<T>(RestRequest request, T state, Func<RestRequest, T, Task> work)
    {
        try
        {
            return work(request, state);
        }
#pragma warning disable CA1031 // It is not lost: the task has it.
        catch (Exception error)
#pragma warning restore CA1031
        {
            return Task.FromException(error);
        }
    }

    /// <param name="context">Of the request.</param>
    /// <param name="request">Null: the answer has failed before it was there.</param>
    /// <param name="answer">Under way.</param>
    private Task WaitAsync(HttpContext context, RestRequest? request, Task answer) => ContainAsync(
        context, (Context: context, Request: request, Answer: answer),
        static of => of.Request is null ? of.Answer : AnswerInTimeAsync(of.Context, of.Request, of.Answer));

    private static async Task AnswerInTimeAsync(HttpContext context, RestRequest request, Task answer)
    {
        if (await IsInTimeAsync(request, answer, context.RequestAborted).ConfigureAwait(false))
            return;
        if (context.Response.HasStarted)
            context.Abort();
        else
            await Problem.WriteAsync(context, StatusCodes.BadTimeout).ConfigureAwait(false);
    }

    /// <summary>False: the work has ended because its time was over. The request is at its end. Errors:
    /// OperationCanceledException where the client has gone; those of the work.</summary>
    private static async Task<bool> IsInTimeAsync(RestRequest request, Task work, CancellationToken gone)
    {
        using (request)
        {
            try
            {
                await work.ConfigureAwait(false);
                return true;
            }
            catch (OperationCanceledException) when (request.IsLate && !gone.IsCancellationRequested)
            {
                return false;
            }
        }
    }
}
