using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Publish;
using Gateway.Server.Dispatch;

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

    /// <summary>A service of the publish engine: decoded, its operations counted, handed on and answered.
    /// <paramref name="count"/> and <paramref name="handle"/> are static lambdas: nothing is allocated for them.
    /// </summary>
    public static StatusCode HandOn<TRequest, TResponse>(
        ref ServiceCall call, int limit, Func<TRequest, int> count, Func<PublishSession, TRequest, TResponse> handle)
        where TRequest : IStructure<TRequest>
        where TResponse : class, IServiceResponse
    {
        if (!call.TryDecode<TRequest>(out var request))
            return call.Whole.Status;
        var status = Check(count(request), limit);
        return status.IsBad ? status : call.Reply(handle(call.Session.Publishing!, request));
    }
}
