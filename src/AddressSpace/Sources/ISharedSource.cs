using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.AddressSpace.Sources;

/// <summary>A source that can do only so much, and shares it fairly between those who ask. It is told for whom.
/// Members as those of <see cref="INodeSource"/> and <see cref="IMethodSource"/>.</summary>
public interface ISharedSource : IMethodSource
{
    /// <param name="nodes">To be read.</param>
    /// <param name="maxAgeMs">Oldest acceptable value.</param>
    /// <param name="results">One a node.</param>
    /// <param name="account">The key of the caps for each user.</param>
    /// <param name="ct">Ends the waiting.</param>
    ValueTask ReadAsync(
        ReadOnlyMemory<NodeHandle> nodes, double maxAgeMs, Memory<DataValue> results, string account,
        CancellationToken ct);

    ValueTask WriteAsync(
        ReadOnlyMemory<SourceWrite> writes, Memory<StatusCode> results, string account, CancellationToken ct);

    ValueTask<CallMethodResult> CallAsync(
        NodeHandle obj, NodeHandle method, Variant[] inputs, string account, CancellationToken ct);
}
