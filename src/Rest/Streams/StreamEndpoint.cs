using System.Globalization;
using Gateway.AddressSpace.Nodes;
using Gateway.Admission.Stages;
using Gateway.Codec.Json;
using Gateway.Codec.Types;
using Gateway.Operations.Access;
using Gateway.Publish.Streams;
using Gateway.Rest.Access;
using Gateway.Rest.Answers;
using Gateway.Rest.Bodies;
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

    public IEnumerable<RestRoute> Routes => 
    [
        new("GET", "/stream", GetAsync) { Operations = [StreamApi.Get] },
        new("POST", "/stream", PostAsync) { Operations = [StreamApi.Post] },
    ];

    private Task GetAsync(HttpContext context) => requests.ContainAsync(context, () =>
    {
        var text = context.Request.Query["interval"].ToString();
        var interval = text.Length == 0
            ? DefaultIntervalMs
            : double.TryParse(text, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out var number)
                ? number
                : double.NaN;
        return AnswerAsync(context, context.Request.Query["node"], "node", interval);
    });

    /// <summary>For more nodes than a request line has room for.</summary>
    private Task PostAsync(HttpContext context) => requests.ContainAsync(context, async () =>
    {
        if (await bodies.ReadAsync(context).ConfigureAwait(false) is not { } body)
            return;
        var asked = StreamBody.Read(body.WrittenSpan, out var status, out var problem);
        bodies.Return(body);
        if (asked is null)
            await Problem.WriteAsync(context, status, problem).ConfigureAwait(false);
        else
            await AnswerAsync(context, asked.Nodes, "nodes", asked.Interval ?? DefaultIntervalMs)
                .ConfigureAwait(false);
    });

    private async Task AnswerAsync(
        HttpContext context, IReadOnlyList<string?> texts, string place, double interval)
    {
        if (!double.IsFinite(interval) || interval <= 0)
        {
            await Problem.WriteAsync(context, StatusCodes.BadInvalidArgument, ExpectedInterval).ConfigureAwait(false);
            return;
        }

        if (await list.ParseAsync(context, texts, place).ConfigureAwait(false) is not { } named)
            return;
        var caller = RestCaller.Of(context);
        if (Find(context.Request.Headers["Last-Event-ID"].ToString(), caller, out var number) is { } known &&
            known.IsOf(named, interval) && known.TryEnter(context.RequestAborted) is { } connection)
        {
            await RunAsync(context, known, connection, caller, number).ConfigureAwait(false);
            return;
        }

        var isFollowed = false;
        await requests.RunAsync(context, async request =>
        {
            await names.FollowAsync(request, named).ConfigureAwait(false);
            isFollowed = true;
        }).ConfigureAwait(false);
        if (isFollowed)
            await OpenAsync(context, caller, named, interval).ConfigureAwait(false);
    }

    private async Task OpenAsync(HttpContext context, Caller caller, NamedNode[] named, double interval)
    {
        // One batch: the values that the client has not taken yet. Newer values wait in the engine, one for each node.
        var options = new StreamOptions { IntervalMs = interval, MaxBatches = 1 };
        var values = server.OpenStream(caller, options, out var status);
        if (values is null)
        {
            await Problem.WriteAsync(context, status).ConfigureAwait(false);
            return;
        }

        var isKept = false;
        try
        {
            var stream = new LiveStream(
                caller, values, interval, named, Array.ConvertAll(named, PrefixOf),
                new EventHistory(limits.MaxHttpStreamEvents, limits.MaxHttpStreamHistoryBytes));
            if (stream.TryEnter(context.RequestAborted) is not { } connection)
            {
                await Problem.WriteAsync(context, StatusCodes.BadShutdown).ConfigureAwait(false);
            }
            else if (book.Add(stream) is var full and not RefusalReason.None)
            {
                stream.Leave(connection, hadPlace: false, time.GetTimestamp());
                await RefuseAsync(context, caller, full).ConfigureAwait(false);
            }
            else
            {
                // From here on the book ends it, when its connection has left it for long enough.
                isKept = true;
                await RunAsync(context, stream, connection, caller, null).ConfigureAwait(false);
            }
        }
        finally
        {
            if (!isKept)
                values.Dispose();
        }
    }

    private async Task RefuseAsync(HttpContext context, Caller caller, RefusalReason full)
    {
        audit.Refused(caller, StatusCodes.BadTooManySubscriptions, full);
        await Problem.WriteAsync(
            context, StatusCodes.BadTooManySubscriptions, $"there are as many streams as {full} allows")
            .ConfigureAwait(false);
    }

    private async Task RunAsync(
        HttpContext context, LiveStream stream, CancellationTokenSource connection, Caller caller, long? behind)
    {
        var hasPlace = false;
        try
        {
            await stream.WaitAsync(connection).ConfigureAwait(false);
            hasPlace = true;
            if (!stream.IsWatching)
                Watch(stream);
            if (!MayReplay(stream, caller))
                behind = null;
            context.Response.ContentType = "text/event-stream; charset=utf-8";
            context.Response.Headers.CacheControl = "no-store";
            context.Response.Headers.XContentTypeOptions = "nosniff";
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

    private static void Watch(LiveStream stream)
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

        stream.IsWatching = true;
        if (items.Count == 0)
            return;
        var whole = stream.Values.Add(items.ToArray(), out var results);
        for (var i = 0; i < items.Count; i++)
        {
            var status = whole.IsBad ? whole : results[i].StatusCode;
            if (status.IsBad)
                stream.Refused.Add((items[i].Handle, status));
        }

        stream.Values.Hurry();
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
