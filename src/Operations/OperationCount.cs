using Gateway.Codec.Types;

namespace Gateway.Operations;

/// <summary>The rule for every array of operations. Source: Part 4 §7.38.2.</summary>
public static class OperationCount
{
    /// <summary>Errors: Bad_NothingToDo for null and empty, Bad_TooManyOperations above the limit.</summary>
    public static StatusCode Check<T>(T[]? operations, int limit) => Check(operations?.Length ?? 0, limit);

    public static StatusCode Check(int count, int limit)
    {
        if (count <= 0)
            return StatusCodes.BadNothingToDo;
        return count > limit ? StatusCodes.BadTooManyOperations : StatusCodes.Good;
    }
}
