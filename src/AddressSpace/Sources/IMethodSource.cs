using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.AddressSpace.Sources;

/// <summary>A source that serves calls. A Method of any other source is shown as not executable.</summary>
public interface IMethodSource : INodeSource
{
    /// <summary>The inputs have the right number and types. Holds no thread while the call lasts.</summary>
    ValueTask<CallMethodResult> CallAsync(NodeHandle obj, NodeHandle method, Variant[] inputs, CancellationToken ct);
}
