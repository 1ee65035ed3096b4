using System.Globalization;
using Gateway.AddressSpace.Nodes;
using Gateway.Admission.Clients;
using Gateway.Admission.Stages;
using Gateway.Codec.Types;
using Gateway.Operations.Access;
using Gateway.Publish.Streams;
using Gateway.Rest.Access;
using Gateway.Rest.Answers;
using Gateway.Rest.Budgets;
using Gateway.Rest.Events;
using Gateway.Rest.Nodes;
using Gateway.Server;
using Gateway.Server.Audit;
using Microsoft.AspNetCore.Http;
using StatusCodes = Gateway.Codec.Types.StatusCodes;

namespace Gateway.Rest.Streams;

/// <summary>Opens the streams of Server-Sent Events, of values and of events: finds the one that a client comes back
/// to, counts a new one, and sends its batches until the client has gone. Thread-safe.</summary>
internal sealed class StreamDoor(
    GatewayServer server, NodeTable nodes, NodeAccess access, RestRequests requests, StreamBook book,
    EncodedValues encoded, AnswerSender sender, OperationAudit audit, RestLimits limits, TimeProvider time)
{
    private const string LastEventId = "Last-Event-ID";

    /// <summary>Of the request nothing is left while its stream runs.</summary>
    /// <param name="context">Of the request.</param>
    /// <param name="request">Hands the entry over, or answers a problem.</param>
    public Task AnswerAsync(HttpContext context, Func<Action<StreamEntry?>, Task> request) =>
        requests.ContainAsync(context, async () =>
        {
            StreamEntry? entry = null;
            await request(entered => entry = entered).ConfigureAwait(false);
            if (entry is not null)
                await RunAsync(context, entry).ConfigureAwait(false);
        });

    /// <summary>Null: there is no such stream, it is another user's, or the client asks for something else now.
    /// </summary>
    public StreamEntry? TryComeBack(
        HttpContext context, Caller caller, NamedNode[] named, double interval, EventForm? form) =>
        Find(context.Request.Headers[LastEventId].ToString(), caller, out var number) is { } known &&
        known.IsOf(named, interval, form) && known.TryEnter(context.RequestAborted) is { } connection
            ? new StreamEntry(known, connection, caller, number)
            : null;

    /// <summary>Null: a problem was answered.</summary>
    /// <param name="context">Of the request.</param>
    /// <param name="caller">The client.</param>
    /// <param name="make">Makes the stream, with the memory that it needs; null: there is not enough.</param>
    /// <param name="values">How the engine serves it.</param>
    /// <param name="watch">Adds the items. False: it has answered a problem.</param>
    public async Task<StreamEntry?> OpenAsync(
        HttpContext context, Caller caller, StreamOptions values, Func<ValueStream, Holding, LiveStream?> make,
        Func<LiveStream, ValueTask<bool>> watch)
    {
        var memory = new Holding(book.Memory, AddressKey.Of(context.Connection.RemoteIpAddress));
        var opened = default(ValueStream);
        var entry = default(StreamEntry);
        try
        {
            opened = server.OpenStream(caller, values, out var status);
            if (opened is not null && make(opened, memory) is { } stream)
            {
                if (stream.TryEnter(context.RequestAborted) is not { } connection)
                    await Problem.WriteAsync(context, StatusCodes.BadShutdown).ConfigureAwait(false);
                else if (book.Add(stream) is var full and not RefusalReason.None)
                    await RefuseAsync(context, stream, connection, full).ConfigureAwait(false);
                else if (await TryWatchAsync(stream, connection, watch).ConfigureAwait(false))
                    // From here on the book ends it, when its connection has left it for long enough.
                    entry = new StreamEntry(stream, connection, caller, Behind: null);
                return entry;
            }

            if (opened is not null)
            {
                book.CountRefused();
                status = StatusCodes.BadOutOfMemory;
            }

            await Problem.WriteAsync(context, status).ConfigureAwait(false);
            return null;
        }
        finally
        {
            if (entry is null)
            {
                opened?.Dispose();
                memory.Dispose();
            }
        }
    }

    /// <summary>Streams that their clients have left make room.</summary>
    public bool TryHold(Holding memory, Caller caller, long bytes)
    {
        while (!memory.TryAdd(bytes))
        {
            if (!book.TryMakeRoom(caller.Address, ofAll: !memory.IsOfMuch))
                return false;
        }

        return true;
    }

    private async Task RefuseAsync(
        HttpContext context, LiveStream stream, CancellationTokenSource connection, RefusalReason full)
    {
        stream.Leave(connection, hadPlace: false, time.GetTimestamp());
        audit.Refused(stream.Owner, StatusCodes.BadTooManySubscriptions, full);
        await Problem.WriteAsync(
            context, StatusCodes.BadTooManySubscriptions, $"there are as many streams as {full} allows")
            .ConfigureAwait(false);
    }

    private async Task RunAsync(HttpContext context, StreamEntry entry)
    {
        var (stream, connection, caller, behind) = entry;
        var hasPlace = false;
        try
        {
            await stream.WaitAsync(connection).ConfigureAwait(false);
            hasPlace = true;
            if (!MayReplay(stream, caller))
                behind = null;
            context.Response.ContentType = "text/event-stream; charset=utf-8";
            context.Response.Headers.CacheControl = "no-store";
            // A proxy that collects the answer would hold the events back.
            context.Response.Headers["X-Accel-Buffering"] = "no";
            using var end = CallerTime.EndOf(caller, time);
            await new StreamConnection(
                context, stream, encoded, sender, limits.HttpStreamHeartbeat, time, end.Token, connection.Token)
                .RunAsync(behind, comesBack: context.Request.Headers.ContainsKey(LastEventId)).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (connection.IsCancellationRequested)
        {
            // The client has gone, or is here again on another connection.
            context.Abort();
        }
        catch (Exception error) when (error is not AnswerEndedException)
        {
            // The progress of the response is unknown: the client opens a new stream.
            stream.Values.Dispose();
            throw;
        }
        finally
        {
            stream.Leave(connection, hasPlace, time.GetTimestamp());
        }
    }

    /// <summary>False if the caller may no longer read everything in the history. Then the engine sends the current
    /// value of each node that the caller may read (R16).</summary>
    private bool MayReplay(LiveStream stream, Caller caller)
    {
        var owner = stream.Owner;
        stream.Owner = caller;
        if (owner.NodeRoles != caller.NodeRoles || owner.Roles != caller.Roles ||
            owner.IsEncrypted != caller.IsEncrypted)
        {
            server.ChangeStreamUser(stream.Values, caller);
            return false;
        }

        if (stream.Form is not null)
            return stream.Values.MayKeepEvents() &&
                stream.Nodes.All(node => access.CheckEvents(caller, nodes.Find(node.Id)).IsGood);
        return stream.Nodes.All(node => node.Status.IsBad ||
            !access.CheckRead(caller, nodes.Find(node.Id), AttributeId.Value).IsBad);
    }

    /// <summary>False, or an exception: the connection has left the stream.</summary>
    private async ValueTask<bool> TryWatchAsync(
        LiveStream stream, CancellationTokenSource connection, Func<LiveStream, ValueTask<bool>> watch)
    {
        var isWatched = false;
        try
        {
            return isWatched = await watch(stream).ConfigureAwait(false);
        }
        finally
        {
            if (!isWatched)
            {
                stream.Leave(connection, hadPlace: false, time.GetTimestamp());
                book.End(stream);
            }
        }
    }

    private LiveStream? Find(string id, Caller caller, out long number)
    {
        number = 0;
        var dash = id.IndexOf('-', StringComparison.Ordinal);
        return dash > 0 && long.TryParse(
            id.AsSpan(dash + 1), NumberStyles.None, CultureInfo.InvariantCulture, out number)
            ? book.Find(id[..dash], caller)
            : null;
    }
}
