using Gateway.Codec.Json;
using Gateway.Operations.Access;
using Gateway.Publish.Streams;
using Gateway.Rest.Access;
using Gateway.Rest.Answers;
using Gateway.Rest.Bodies;
using Gateway.Rest.Budgets;
using Gateway.Rest.Nodes;
using Gateway.Rest.Routing;
using Gateway.Rest.Values;
using Microsoft.AspNetCore.Http;
using StatusCodes = Gateway.Codec.Types.StatusCodes;

namespace Gateway.Rest.Streams;

/// <summary><c>GET /stream</c> and <c>POST /stream</c>: values as Server-Sent Events. A client that reconnects with the
/// id of its last event gets the events that it missed, if it asks for the same nodes and interval. Thread-safe.
/// </summary>
internal sealed class StreamEndpoint(
    NodeList list, NodeNames names, RestFormat format, RestRequests requests, BodyReader bodies, StreamDoor door,
    RestLimits limits)
{
    private const double DefaultIntervalMs = 1000;
    private const double StreamsInterval = -1;

    /// <summary>Of work, for one item, and the items that are added in one go.</summary>
    private const int UnitsToWatch = 16;
    private const int ItemsPerPart = 256;

    /// <summary>The header of an array, and the reference to it.</summary>
    private const int ArrayBytes = 32;
    private const int MostUncountedBytes = 64 * 1024;

    public IEnumerable<RestRoute> Routes =>
    [
        new("GET", "/stream", GetAsync) { Operations = [StreamApi.Get] },
        new("POST", "/stream", PostAsync) { Operations = [StreamApi.Post] },
    ];

    private Task GetAsync(HttpContext context)
    {
        var interval = IntervalQuery.Read(context.Request, DefaultIntervalMs);
        return door.AnswerAsync(context, enter => requests.RunAsync(context, async request => enter(
            await EnterAsync(context, request, context.Request.Query["node"], "node", interval)
                .ConfigureAwait(false))));
    }

    /// <summary>For more nodes than a request line has room for.</summary>
    private Task PostAsync(HttpContext context) =>
        door.AnswerAsync(context, enter => requests.RunAsync(context, async (request, body) =>
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

    /// <summary>Null: a problem was answered.</summary>
    private async Task<StreamEntry?> EnterAsync(
        HttpContext context, RestRequest request, IReadOnlyList<string?> texts, string place, double interval)
    {
        if (!IntervalQuery.IsValid(interval))
        {
            await Problem.WriteAsync(context, StatusCodes.BadInvalidArgument, IntervalQuery.Expected)
                .ConfigureAwait(false);
            return null;
        }

        if (await list.ParseAsync(context, request.Memory, texts, place).ConfigureAwait(false) is not { } named)
            return null;
        if (door.TryComeBack(context, request.Caller, named, interval, form: null) is { } known)
            return known;
        await names.FollowAsync(request, named).ConfigureAwait(false);
        // One batch: what the client has not taken yet. Newer values wait in the engine, one a node.
        return await door.OpenAsync(
            context, request.Caller, new StreamOptions { IntervalMs = interval, MaxBatches = 1 },
            (values, memory) => TryMakePrefixes(named, request.Caller, memory, out var prefixes)
                ? new LiveStream(
                    request.Caller, values, interval, named, prefixes,
                    new EventHistory(limits.MaxHttpStreamEvents, limits.MaxHttpStreamHistoryBytes, memory))
                {
                    Memory = memory,
                }
                : null,
            async stream =>
            {
                await WatchAsync(request, stream).ConfigureAwait(false);
                return true;
            }).ConfigureAwait(false);
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
            if (!door.TryHold(memory, caller, uncounted))
                return false;
            uncounted = 0;
        }

        return true;
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
