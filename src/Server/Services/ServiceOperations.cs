using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Operations;
using Gateway.Publish;
using Gateway.Server.Dispatch;
using Gateway.Server.Work;

namespace Gateway.Server.Services;

/// <summary>Passes the operations of a request to the publish engine.</summary>
internal static class ServiceOperations
{
    /// <summary>Decodes the request, checks the number of its operations, passes them to the publish engine and
    /// answers. <paramref name="count"/> and <paramref name="handle"/> are static lambdas, so that they need no
    /// allocation.</summary>
    public static StatusCode HandOn<TRequest, TResponse>(
        ref ServiceCall call, int limit, Func<TRequest, int> count, Func<PublishSession, TRequest, TResponse> handle)
        where TRequest : IStructure<TRequest>
        where TResponse : class, IServiceResponse
    {
        if (!call.TryDecode<TRequest>(out var request, limit))
            return call.Whole.Status;
        var status = OperationCount.Check(count(request), limit);
        return status.IsBad ? status : call.Reply(handle(call.Session.Publishing!, request));
    }

    /// <summary>The same for operations that may take long: passed on in parts, in turns (R44).</summary>
    public static StatusCode HandOn<TRequest, TOperation, TResponse, TResult>(
        ref ServiceCall call, int limit, OperationParts<TRequest, TOperation, TResponse, TResult> parts)
        where TRequest : IStructure<TRequest>
        where TResponse : class, IServiceResponse
    {
        if (!call.TryDecode<TRequest>(out var request, limit))
            return call.Whole.Status;
        var operations = parts.OperationsOf(request);
        var status = OperationCount.Check(operations, limit);
        if (status.IsBad)
            return status;
        var session = call.Session.Publishing!;
        var end = parts.EndOfPart(session, operations!, 0, out var units);
        return end == operations!.Length && units <= parts.Size * parts.Units
            ? call.Reply(parts.Handle(session, request))
            : call.Run(HandOnAsync(call.Turn, request, operations, parts));
    }

    /// <summary>If the engine refuses a later part as a whole, the rest of the operations gets that status.</summary>
    private static async ValueTask<TResponse?> HandOnAsync<TRequest, TOperation, TResponse, TResult>(
        RequestTurn turn, TRequest request, TOperation[] operations,
        OperationParts<TRequest, TOperation, TResponse, TResult> parts)
        where TResponse : class, IServiceResponse
    {
        var session = turn.Session!.Publishing!;
        var results = new TResult[operations.Length];
        var status = StatusCode.Good;
        var start = 0;
        while (start < operations.Length)
        {
            if (parts.ExtraUnits is not null && turn.IsSpent)
            {
                status = StatusCodes.BadResourceUnavailable;
                break;
            }

            var end = parts.EndOfPart(session, operations, start, out var units);
            if (!turn.Take(units))
                await turn.NextAsync().ConfigureAwait(false);
            var response = parts.Handle(session, parts.PartOf(request, operations[start..end]));
            status = response.ResponseHeader.ServiceResult;
            if (status.IsBad && start == 0)
                return response;
            if (status.IsBad)
                break;
            parts.ResultsOf(response)!.CopyTo(results, start);
            start = end;
        }

        if (start < operations.Length)
            Array.Fill(results, parts.Failed(status), start, operations.Length - start);
        return parts.Answer(results);
    }
}
