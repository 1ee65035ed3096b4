using Gateway.Admission.Stages;
using Gateway.Codec.Types;
using Gateway.Operations.Access;
using Gateway.Publish.Streams;
using Gateway.Rest.Budgets;
using Gateway.Rest.Events;
using Gateway.Rest.Streams;
using Gateway.Server;
using Gateway.Server.Audit;

namespace Gateway.Rest.Sockets;

/// <summary>Opens the streams of WebSockets: by the same caps and on the same accounts as those of Server-Sent Events.
/// Thread-safe.</summary>
internal sealed class LiveStreams(
    GatewayServer server, StreamBook book, EncodedValues encoded, LiveAnswers answers, OperationAudit audit,
    TimeProvider time)
{
    /// <summary>Null with a bad status and the problem in words.</summary>
    public LiveSubscription? Open(
        SocketConnection connection, Caller caller, double interval, out StatusCode status, out string? problem) =>
        Enter(connection, caller, interval, form: null, out var place, out status, out problem) is { } stream
            ? new LiveSubscription(connection, stream, place!, this, encoded, answers)
            : null;

    /// <summary>The same for events.</summary>
    /// <param name="connection">Of the WebSocket.</param>
    /// <param name="caller">Its user.</param>
    /// <param name="interval">In ms.</param>
    /// <param name="form">Of the events.</param>
    /// <param name="replaced">The stream that it takes the place of; null: it needs one of its own.</param>
    /// <param name="status">Bad: there is none.</param>
    /// <param name="problem">In words.</param>
    public LiveEventWatch? OpenEvents(
        SocketConnection connection, Caller caller, double interval, EventForm form, LiveEventWatch? replaced,
        out StatusCode status, out string? problem) =>
        Enter(connection, caller, interval, form, out var place, out status, out problem, replaced?.Stream)
            is { } stream
            ? new LiveEventWatch(connection, stream, place!, this, encoded)
            : null;

    /// <summary>Counts the memory of a node; streams that their clients have left make room. False: there is none.
    /// </summary>
    public bool TryHold(LiveStream stream, long bytes)
    {
        var memory = stream.Memory!;
        while (!memory.TryAdd(bytes))
        {
            if (!book.TryMakeRoom(stream.Account.Address, ofAll: !memory.IsOfMuch))
            {
                book.CountRefused();
                return false;
            }
        }

        return true;
    }

    /// <summary>The same user with the rights that he has now.</summary>
    public void ChangeUser(LiveStream stream, Caller caller)
    {
        stream.Owner = caller;
        server.ChangeStreamUser(stream.Values, caller);
    }

    public void Close(LiveStream stream, CancellationTokenSource place)
    {
        stream.Leave(place, hadPlace: false, time.GetTimestamp());
        book.End(stream);
    }

    private LiveStream? Enter(
        SocketConnection connection, Caller caller, double interval, EventForm? form,
        out CancellationTokenSource? place, out StatusCode status, out string? problem, LiveStream? replaced = null)
    {
        (place, problem) = (null, null);
        // One batch: what the client has not taken yet. Newer values wait in the engine, one a node.
        var values = server.OpenStream(
            caller, new StreamOptions { IntervalMs = interval, MaxBatches = 1 }, out status);
        if (values is null)
            return null;
        var stream = new LiveStream(caller, values, interval, [], [], new EventHistory(0, 0))
        {
            Memory = new Holding(book.Memory, connection.Address),
            Form = form,
            Refreshes = RefreshPace.Of(form, values, time),
        };
        place = stream.TryEnter(connection.Gone);
        var full = place is null ? RefusalReason.ShuttingDown : book.Add(stream, replaced);
        if (full == RefusalReason.None)
            return stream;
        if (place is not null)
            stream.Leave(place, hadPlace: false, time.GetTimestamp());
        stream.Dispose();
        status = place is null ? StatusCodes.BadShutdown : StatusCodes.BadTooManySubscriptions;
        if (place is not null)
        {
            audit.Refused(caller, status, full);
            problem = $"there are as many streams as {full} allows";
        }

        return null;
    }
}
