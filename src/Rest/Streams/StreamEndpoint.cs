using System.Globalization;
using Gateway.AddressSpace.Nodes;
using Gateway.Admission.Clients;
using Gateway.Admission.Stages;
using Gateway.Codec.Json;
using Gateway.Codec.Types;
using Gateway.Operations.Access;
using Gateway.Publish.Streams;
using Gateway.Rest.Access;
using Gateway.Rest.Answers;
using Gateway.Rest.Bodies;
using Gateway.Rest.Budgets;
using Gateway.Rest.Nodes;
using Gateway.Rest.Routing;
using Gateway.Rest.Values;
using Gateway.Server;
using Gateway.Server.Audit;
using Microsoft.AspNetCore.Http;
using StatusCodes = Gateway.Codec.Types.StatusCodes;

namespace Gateway.Rest.Streams;

/// <summary><c>GET /stream</c> and <c>POST /stream</c>: values as Server-Sent Events. A client that reconnects with the
/// id of its last event gets the events that it missed, if it asks for the same nodes and interval. Thread-safe.
/// </summary>
internal sealed class StreamEndpoint(
    GatewayServer server, NodeTable nodes, NodeAccess access, NodeList list, NodeNames names, RestFormat format,
    RestRequests requests, BodyReader bodies, StreamBook book, EncodedValues encoded, AnswerSender sender,
    OperationAudit audit, RestLimits limits, TimeProvider time)
{
    private const string ExpectedInterval = "interval: expected a number of milliseconds above 0";
    private const double DefaultIntervalMs = 1000;
    private const double StreamsInterval = -1;

    /// <summary>Of work, for one item, and the items that are added in one go.</summary>
    private const int UnitsToWatch = 16;
    private const int ItemsPerPart = 256;

    /// <summary>The header of an array, and the reference to it.</summary>
    private const int ArrayBytes = 32;
    private const int MostUncountedBytes = 64 * 1024;

    /// <summary>A connection in its stream.</summary>
    /// <param name="Stream">Its own or one that it comes back to.</param>
    /// <param name="Connection">Cancelled when the client disconnects or another connection takes the stream.</param>
    /// <param name="Caller">The client.</param>
    /// <param name="Behind">The last event that the client has; null: it gets all values.</param>
    private sealed record Entry(
        LiveStream Stream, CancellationTokenSource Connection, Caller Caller, long? Behind);

    public IEnumerable<RestRoute> Routes =>
    [
        new("GET", "/stream", GetAsync) { Operations = [StreamApi.Get] },
        new("POST", "/stream", PostAsync) { Operations = [StreamApi.Post] },
    ];

    private Task GetAsync(HttpContext context)
    {
        var text = context.Request.Query["interval"].ToString();
        var interval = text.Length == 0
            ? DefaultIntervalMs
            : double.TryParse(text, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out var number)
                ? number
                : double.NaN;
        return AnswerAsync(context, enter => requests.RunAsync(context, async request => enter(
            await EnterAsync(context, request, context.Request.Query["node"], "node", interval)
                .ConfigureAwait(false))));
    }

    /// <summary>For more nodes than a request line has room for.</summary>
    private Task PostAsync(HttpContext context) =>
        AnswerAsync(context, enter => requests.RunAsync(context, async (request, body) =>
        {
            var asked = StreamBody.Read(body.WrittenSpan, request.Memory.Meter, out var status, out var problem);
            bodies.Return(body);
            if (asked is null)
                await Problem.WriteAsync(context, status, problem).ConfigureAwait(false);
            else
                enter(await EnterAsync(
                    context, request, asked.Nodes, "nodes", asked.Interval ?? DefaultIntervalMs)
                    .ConfigureAwait(false));
        }));

    /// <summary>Of the request nothing is left while its stream runs.</summary>
    private Task AnswerAsync(HttpContext context, Func<Action<Entry?>, Task> request) =>
        requests.ContainAsync(context, async () =>
        {
            Entry? entry = null;
            await request(entered => entry = entered).ConfigureAwait(false);
            if (entry is not null)
                await RunAsync(context, entry).ConfigureAwait(false);
        });

    /// <summary>Null: a problem was answered.</summary>
    private async Task<Entry?> EnterAsync(
        HttpContext context, RestRequest request, IReadOnlyList<string?> texts, string place, double interval)
    {
        if (!double.IsFinite(interval) || interval <= 0)
        {
            await Problem.WriteAsync(context, StatusCodes.BadInvalidArgument, ExpectedInterval).ConfigureAwait(false);
            return null;
        }

        if (await list.ParseAsync(context, request.Memory, texts, place).ConfigureAwait(false) is not { } named)
            return null;
        var caller = request.Caller;
        if (Find(context.Request.Headers["Last-Event-ID"].ToString(), caller, out var number) is { } known &&
            known.IsOf(named, interval) && known.TryEnter(context.RequestAborted) is { } connection)
            return new Entry(known, connection, caller, number);
        await names.FollowAsync(request, named).ConfigureAwait(false);
        return await OpenAsync(context, request, named, interval).ConfigureAwait(false);
    }

    private async Task<Entry?> OpenAsync(
        HttpContext context, RestRequest request, NamedNode[] named, double interval)
    {
        var caller = request.Caller;
        // One batch: what the client has not taken yet. Newer values wait in the engine, one a node.
        var options = new StreamOptions { IntervalMs = interval, MaxBatches = 1 };
        var memory = new Holding(book.Memory, AddressKey.Of(context.Connection.RemoteIpAddress));
        var values = default(ValueStream);
        var entry = default(Entry);
        try
        {
            var status = StatusCode.Good;
            if (!TryMakePrefixes(named, caller, memory, out var prefixes))
            {
                book.CountRefused();
                status = StatusCodes.BadOutOfMemory;
            }
            else
            {
                values = server.OpenStream(caller, options, out status);
            }

            if (values is null)
            {
                await Problem.WriteAsync(context, status).ConfigureAwait(false);
                return null;
            }

            var stream = new LiveStream(
                caller, values, interval, named, prefixes,
                new EventHistory(limits.MaxHttpStreamEvents, limits.MaxHttpStreamHistoryBytes, memory))
            {
                Memory = memory,
            };
            if (stream.TryEnter(context.RequestAborted) is not { } connection)
                await Problem.WriteAsync(context, StatusCodes.BadShutdown).ConfigureAwait(false);
            else if (book.Add(stream) is var full and not RefusalReason.None)
                await RefuseAsync(context, stream, connection, full).ConfigureAwait(false);
            else if (await TryWatchAsync(request, stream, connection).ConfigureAwait(false))
                // From here on the book ends it, when its connection has left it for long enough.
                entry = new Entry(stream, connection, caller, Behind: null);
            return entry;
        }
        finally
        {
            if (entry is null)
            {
                values?.Dispose();
                memory.Dispose();
            }
        }
    }

    /// <summary>False: there is no memory for so many nodes.</summary>
    private bool TryMakePrefixes(NamedNode[] named, Caller caller, Holding memory, out byte[][] prefixes)
    {
        prefixes = new byte[named.Length][];
        var uncounted = 0L;
        for (var i = 0; i < named.Length; i++)
        {
            prefixes[i] = PrefixOf(named[i]);
            uncounted += named[i].OwnBytes + named[i].ExtraBytes + prefixes[i].Length + ArrayBytes;
            if (uncounted < MostUncountedBytes && i < named.Length - 1)
                continue;
            if (!TryHold(memory, caller, uncounted))
                return false;
            uncounted = 0;
        }

        return true;
    }

    /// <summary>Streams that their clients have left make room.</summary>
    private bool TryHold(Holding memory, Caller caller, long bytes)
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

    private async Task RunAsync(HttpContext context, Entry entry)
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
                .RunAsync(behind).ConfigureAwait(false);
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

        return stream.Nodes.All(node => node.Status.IsBad ||
            !access.CheckRead(caller, nodes.Find(node.Id), AttributeId.Value).IsBad);
    }

    /// <summary>True, unless it throws: then the connection has left the stream.</summary>
    private async ValueTask<bool> TryWatchAsync(
        RestRequest request, LiveStream stream, CancellationTokenSource connection)
    {
        try
        {
            await WatchAsync(request, stream).ConfigureAwait(false);
            return true;
        }
        catch
        {
            stream.Leave(connection, hadPlace: false, time.GetTimestamp());
            throw;
        }
    }

    private static async ValueTask WatchAsync(RestRequest request, LiveStream stream)
    {
        var items = new List<StreamItem>(stream.Nodes.Length);
        for (var i = 0u; i < stream.Nodes.Length; i++)
        {
            var node = stream.Nodes[i];
            if (node.Status.IsBad)
                stream.Refused.Add((i, node.Status));
            else
                items.Add(new StreamItem { Node = node.Id, Handle = i, SamplingIntervalMs = StreamsInterval });
        }

        var most = Math.Min(ItemsPerPart, stream.Values.MaxItemsPerCall);
        for (var start = 0; start < items.Count; start += most)
        {
            var part = items.GetRange(start, Math.Min(most, items.Count - start));
            if (!request.Take(part.Count * UnitsToWatch))
                await request.NextAsync().ConfigureAwait(false);
            Watch(stream, part);
        }

        request.EndTurns();
        if (items.Count > 0)
            stream.Values.Hurry();
    }

    private static void Watch(LiveStream stream, List<StreamItem> items)
    {
        var whole = stream.Values.Add(items.ToArray(), out var results);
        for (var i = 0; i < items.Count; i++)
        {
            var status = whole.IsBad ? whole : results[i].StatusCode;
            if (status.IsBad)
                stream.Refused.Add((items[i].Handle, status));
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

    private byte[] PrefixOf(NamedNode node)
    {
        var writer = UaJsonWriter.Rent(format.Current);
        ValueJson.WriteNode(writer, node);
        writer.Json.Flush();
        byte[] prefix = [.. writer.WrittenSpan, (byte)','];
        writer.Return();
        return prefix;
    }
}
