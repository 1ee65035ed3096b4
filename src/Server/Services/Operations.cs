using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Publish;
using Gateway.Server.Dispatch;
using Gateway.Server.Work;

namespace Gateway.Server.Services;

/// <summary>The rule for every array of operations. Source: Part 4 §7.38.2.</summary>
internal static class Operations
{
    /// <summary>Errors: Bad_NothingToDo for null and empty, Bad_TooManyOperations above the limit.</summary>
    public static StatusCode Check<T>(T[]? operations, int limit) => Check(operations?.Length ?? 0, limit);

    public static StatusCode Check(int count, int limit)
    {
        if (count <= 0)
            return StatusCodes.BadNothingToDo;
        return count > limit ? StatusCodes.BadTooManyOperations : StatusCodes.Good;
    }

    /// <summary>By rights: what the audit log tells.</summary>
    public static bool IsRefused(StatusCode status) =>
        status.CodeBits is StatusCodes.BadUserAccessDenied or StatusCodes.BadSecurityModeInsufficient;

    /// <summary>A service of the publish engine: decoded, its operations counted, handed on and answered.
    /// <paramref name="count"/> and <paramref name="handle"/> are static lambdas: nothing is allocated for them.
    /// </summary>
    public static StatusCode HandOn<TRequest, TResponse>(
        ref ServiceCall call, int limit, Func<TRequest, int> count, Func<PublishSession, TRequest, TResponse> handle)
        where TRequest : IStructure<TRequest>
        where TResponse : class, IServiceResponse
    {
        if (!call.TryDecode<TRequest>(out var request, limit))
            return call.Whole.Status;
        var status = Check(count(request), limit);
        return status.IsBad ? status : call.Reply(handle(call.Session.Publishing!, request));
    }

    /// <summary>The same for operations that take their time: handed on in parts, in turns (R44).</summary>
    public static StatusCode HandOn<TRequest, TOperation, TResponse, TResult>(
        ref ServiceCall call, int limit, OperationParts<TRequest, TOperation, TResponse, TResult> parts)
        where TRequest : IStructure<TRequest>
        where TResponse : class, IServiceResponse
    {
        if (!call.TryDecode<TRequest>(out var request, limit))
            return call.Whole.Status;
        var operations = parts.OperationsOf(request);
        var status = Check(operations, limit);
        if (status.IsBad)
            return status;
        var session = call.Session.Publishing!;
        var end = parts.EndOfPart(session, operations!, 0, out var units);
        return end == operations!.Length && units <= parts.Size * parts.Units
            ? call.Reply(parts.Handle(session, request))
            : call.Run(HandOnAsync(call.Turn, request, operations, parts));
    }

    /// <summary>What a part is refused with as a whole, the rest of the operations is answered.</summary>
    private static async ValueTask<TResponse?> HandOnAsync<TRequest, TOperation, TResponse, TResult>(
        WorkTurn turn, TRequest request, TOperation[] operations,
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
