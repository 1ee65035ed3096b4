using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Sources;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Events.Conditions;

namespace Gateway.Server.Conditions;

/// <summary>One call of a method of an upstream's condition, for the way that all calls into sources go.</summary>
internal sealed class ForwardedMethod(MirroredTarget target, ForwardedCall call) : IMethodSource
{
    public ValueTask<CallMethodResult> CallAsync(
        NodeHandle obj, NodeHandle method, Variant[] inputs, CancellationToken ct) => target.CallAsync(call, ct);
}
