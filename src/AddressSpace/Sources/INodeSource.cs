using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Types;

namespace Gateway.AddressSpace.Sources;

/// <summary>
/// Serves the values of a set of nodes. Each member has a default: a source writes only what it can do. A source
/// declares its other abilities by interfaces: <see cref="IDirectWriter"/>, <see cref="IMethodSource"/>,
/// <see cref="IInterestSource"/>, <see cref="IPolledSource"/>, <see cref="ISampledSource"/>. Threads: any; no member
/// blocks. Errors: a StatusCode for each operation, never an exception, except for cancellation.
/// </summary>
public interface INodeSource
{
    /// <summary>The value if the source holds it; false if <see cref="ReadAsync"/> is needed. Default: Bad_NotReadable.
    /// </summary>
    /// <param name="maxAgeMs">Oldest acceptable value; 0 asks for a new one. Source: Part 4 §5.11.2.</param>
    bool TryRead(NodeHandle node, double maxAgeMs, out DataValue value)
    {
        value = new DataValue(StatusCodes.BadNotReadable);
        return true;
    }

    /// <summary>Whether <see cref="TryRead"/> would give the value. A source of large values overrides it: nothing has
    /// to be decoded for the answer.</summary>
    bool IsAtHand(NodeHandle node, double maxAgeMs) => TryRead(node, maxAgeMs, out _);

    /// <summary>All values in one request. A source overrides it if <see cref="TryRead"/> can say no. Default: <see
    /// cref="TryRead"/> for each node; Bad_InternalError where that says no.</summary>
    ValueTask ReadAsync(
        ReadOnlyMemory<NodeHandle> nodes, double maxAgeMs, Memory<DataValue> results, CancellationToken ct)
    {
        for (var i = 0; i < nodes.Length; i++)
            results.Span[i] = TryRead(nodes.Span[i], maxAgeMs, out var value)
                ? value
                : new DataValue(StatusCodes.BadInternalError);
        return ValueTask.CompletedTask;
    }

    /// <summary>All writes in one request. Default: Bad_NotWritable.</summary>
    ValueTask WriteAsync(ReadOnlyMemory<SourceWrite> writes, Memory<StatusCode> results, CancellationToken ct)
    {
        results.Span.Fill(StatusCodes.BadNotWritable);
        return ValueTask.CompletedTask;
    }
}
