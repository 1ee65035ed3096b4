using Gateway.Codec.Types;
using Gateway.Publish;

namespace Gateway.Server.Services;

/// <summary>How a request of many operations is taken apart, and its answer put together.</summary>
/// <param name="Size">Operations of a part, at most.</param>
/// <param name="Units">Of work, an operation.</param>
/// <param name="OperationsOf">A whole request's.</param>
/// <param name="PartOf">The same request with some of its operations.</param>
/// <param name="Handle">One part.</param>
/// <param name="ResultsOf">A part's answer; as many as operations.</param>
/// <param name="Answer">To the whole.</param>
/// <param name="Failed">One operation's result.</param>
/// <param name="ExtraUnits">Of work that operations differ in; null: in nothing. Then a part may be smaller, and what
/// is beyond the work of one request is refused.</param>
internal sealed record OperationParts<TRequest, TOperation, TResponse, TResult>(
    int Size,
    int Units,
    Func<TRequest, TOperation[]?> OperationsOf,
    Func<TRequest, TOperation[], TRequest> PartOf,
    Func<PublishSession, TRequest, TResponse> Handle,
    Func<TResponse, TResult[]?> ResultsOf,
    Func<TResult[], TResponse> Answer,
    Func<StatusCode, TResult> Failed,
    Func<PublishSession, TOperation, int>? ExtraUnits = null)
{
    /// <summary>At least one operation, and no more than <see cref="Size"/> or what costs as much.</summary>
    public int EndOfPart(PublishSession session, TOperation[] operations, int start, out int units)
    {
        var end = Math.Min(operations.Length, start + Size);
        units = (end - start) * Units;
        if (ExtraUnits is null)
            return end;
        units = 0;
        for (var i = start; i < end; i++)
        {
            var next = Units + ExtraUnits(session, operations[i]);
            if (i > start && units + next > Size * Units)
                return i;
            units += next;
        }

        return end;
    }
}
