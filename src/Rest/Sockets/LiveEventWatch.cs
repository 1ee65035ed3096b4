using Gateway.Codec.Types;
using Gateway.Operations.Access;
using Gateway.Rest.Events;
using Gateway.Rest.Nodes;
using Gateway.Rest.Streams;

namespace Gateway.Rest.Sockets;

/// <summary>The events that one WebSocket watches: a stream of the engine beside that of its values. Owner: the
/// conversation. Threads: the conversation's, but <see cref="PumpAsync"/>.</summary>
internal sealed class LiveEventWatch(
    SocketConnection connection, LiveStream stream, CancellationTokenSource place, LiveStreams streams,
    EncodedValues encoded)
{
    private readonly LivePump _pump =
        new(connection, stream.Values, new LiveEventTexts(stream, encoded));

    public LiveStream Stream => stream;

    public double Interval => stream.Values.IntervalMs;

    /// <summary>Until the stream is closed or the client has gone.</summary>
    public Task PumpAsync() => _pump.RunAsync();

    /// <summary>All sources or none: bad with the problem in words. The sender has the turn: no event comes before the
    /// answer.</summary>
    public (StatusCode Status, string? Problem) Watch(NamedNode[] sources) =>
        streams.TryHold(stream, EventSources.BytesOf(sources) + stream.Form!.Bytes)
            ? EventSources.Watch(stream.Values, sources, stream.Form)
            : (StatusCodes.BadOutOfMemory, null);

    public void ChangeUser(Caller caller) => streams.ChangeUser(stream, caller);

    /// <summary>In the sender's turn, or behind the end of the conversation.</summary>
    public void Close()
    {
        _pump.Leave();
        streams.Close(stream, place);
    }
}
