namespace Gateway.Sources.OpcUa.Load;

/// <summary>A request that waits for its turn. Owner: <see cref="RequestGate"/>, under its lock; one thread awaits
/// <see cref="Turn"/>.</summary>
internal sealed class WaitingRequest(RequestShape shape, string? client, long since)
{
    public RequestShape Shape => shape;

    /// <summary>Null: the gateway itself, which is never refused.</summary>
    public string? Client => client;

    public long Since => since;

    /// <summary>Its place among those of its class; see <see cref="FairQueue"/>.</summary>
    public (double Start, long Number) Place { get; set; }

    public LinkedListNode<WaitingRequest>? Age { get; set; }

    public TaskCompletionSource Turn { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public CancellationTokenRegistration Cancellation { get; set; }
}
