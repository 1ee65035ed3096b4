using Gateway.Codec.Structures;

namespace Gateway.Events.Conditions;

/// <summary>Calls methods of conditions at the server that has them. Threads: any.</summary>
public interface IConditionForwarder
{
    /// <summary>Nothing is queued: Bad_NoCommunication at once while the server is away.</summary>
    ValueTask<CallMethodResult> CallAsync(ForwardedCall call, CancellationToken cancellation);
}
