using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.AddressSpace.Sources;

/// <summary>Who serves the values and calls of a set of nodes. Threads: any; no member blocks. Errors: a StatusCode an
/// operation, never an exception, except for cancellation.</summary>
public interface INodeSource
{
    /// <summary>The value where it is at hand; false where <see cref="ReadAsync"/> is needed.</summary>
    /// <param name="maxAgeMs">Oldest acceptable value; 0 asks for a new one. Source: Part 4 §5.11.2.</param>
    bool TryRead(NodeHandle node, double maxAgeMs, out DataValue value);

    ValueTask ReadAsync(
        ReadOnlyMemory<NodeHandle> nodes, double maxAgeMs, Memory<DataValue> results, CancellationToken ct);

    /// <summary>A source whose nodes nobody writes leaves this as it is.</summary>
    ValueTask WriteAsync(ReadOnlyMemory<SourceWrite> writes, Memory<StatusCode> results, CancellationToken ct)
    {
        results.Span.Fill(StatusCodes.BadNotWritable);
        return ValueTask.CompletedTask;
    }

    /// <summary>Whether it serves calls; a Method behind a source that does not is shown as not executable.</summary>
    bool HasMethods => false;

    /// <summary>Inputs have the right number and types. Holds no thread while the call lasts. A source without methods
    /// leaves this as it is.</summary>
    ValueTask<CallMethodResult> CallAsync(
        NodeHandle obj, NodeHandle method, Variant[] inputs, CancellationToken ct) =>
        ValueTask.FromResult(new CallMethodResult { StatusCode = StatusCodes.BadNotImplemented });

    /// <summary>The first subscriber came, or the last one went.</summary>
    void OnInterest(NodeHandle node, bool wanted)
    {
    }

    /// <summary>True where changes of the node do not reach the ValueStore by the source's own doing: while somebody
    /// watches it, it is read (<see cref="TryRead"/>, maxAge 0; <see cref="ReadAsync"/> where that says no) once for
    /// all sessions, at the fastest sampling interval that anybody asked for. The same for as long as the node is
    /// there; asked when an item is made.</summary>
    bool IsPolled(NodeHandle node) => false;

    /// <summary>How often, at the most, the source looks whether the node's value has changed, in ms; 0 where it tells
    /// every change. No sampling interval below it is promised. Source: Part 4 §5.13.1.2.</summary>
    double SamplingIntervalMs(NodeHandle node) => 0;
}
