using Gateway.Operations.Access;

namespace Gateway.Rest.Streams;

/// <summary>A connection in its stream.</summary>
/// <param name="Stream">Its own or one that it comes back to.</param>
/// <param name="Connection">Cancelled when the client disconnects or another connection takes the stream.</param>
/// <param name="Caller">The client.</param>
/// <param name="Behind">The last event that the client has; null: it gets all values.</param>
internal sealed record StreamEntry(
    LiveStream Stream, CancellationTokenSource Connection, Caller Caller, long? Behind);
