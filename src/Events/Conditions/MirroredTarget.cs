using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Structures;

namespace Gateway.Events.Conditions;

/// <summary>A condition of an upstream, for a method of it.</summary>
/// <param name="Mirror">Of the upstream.</param>
/// <param name="Source">Decides who may see the condition, and who may answer it; None: nobody.</param>
public readonly record struct MirroredTarget(ConditionMirror Mirror, NodeHandle Source)
{
    /// <summary>Errors: Bad_NoCommunication while the upstream is away; else the upstream's own answer.</summary>
    public ValueTask<CallMethodResult> CallAsync(ForwardedCall call, CancellationToken cancellation) =>
        Mirror.CallAsync(call, cancellation);
}
