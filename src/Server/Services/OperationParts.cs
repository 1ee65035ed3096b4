using Gateway.Codec.Types;
using Gateway.Publish;

namespace Gateway.Server.Services;

/// <summary>Splits a request of many operations into parts, and joins their results.</summary>
/// <param name="Size">The most operations of a part.</param>
/// <param name="Units">Work units of an operation.</param>
/// <param name="OperationsOf">The operations of a whole request.</param>
/// <param name="PartOf">The same request with some of its operations.</param>
/// <param name="Handle">Handles one part.</param>
/// <param name="ResultsOf">The results of a part; as many as operations.</param>
/// <param name="Answer">The response to the whole request.</param>
/// <param name="Failed">The result of one operation that failed.</param>
/// <param name="ExtraUnits">Additional work units of one operation; null: all operations are equal. With it a part may
/// be smaller, and operations above the work of one request are refused.</param>
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
    /// <summary>At least one operation, and no more than <see cref="Size"/> or the same amount of work.</summary>
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
