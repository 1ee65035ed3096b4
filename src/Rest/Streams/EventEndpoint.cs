using System.Globalization;
using Gateway.Publish.Streams;
using Gateway.Rest.Access;
using Gateway.Rest.Answers;
using Gateway.Rest.Events;
using Gateway.Rest.Nodes;
using Gateway.Rest.Routing;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Primitives;
using StatusCodes = Gateway.Codec.Types.StatusCodes;

namespace Gateway.Rest.Streams;

/// <summary><c>GET /events</c>: events and alarms as Server-Sent Events. A client that reconnects with the id of its
/// last event gets what it missed, if it asks for the same. Thread-safe.</summary>
internal sealed class EventEndpoint(
    NodeList list, NodeNames names, EventForms forms, RestRequests requests, StreamDoor door, RestLimits limits,
    TimeProvider time)
{
    private const double DefaultIntervalMs = 500;

    /// <summary>Of work, to compile a filter and to watch a notifier.</summary>
    private const int UnitsToWatch = 256;

    public IEnumerable<RestRoute> Routes =>
        [new("GET", "/events", GetAsync) { Operations = [EventsApi.Get] }];

    private Task GetAsync(HttpContext context) => door.AnswerAsync(
        context, enter => requests.RunAsync(
            context, async request => enter(await EnterAsync(context, request).ConfigureAwait(false))));

    private async Task<StreamEntry?> EnterAsync(HttpContext context, RestRequest request)
    {
        var query = context.Request.Query;
        var interval = IntervalQuery.Read(context.Request, DefaultIntervalMs);
        if (!IntervalQuery.IsValid(interval))
            return await RefuseAsync(context, IntervalQuery.Expected).ConfigureAwait(false);
        var ask = new EventAsk(
            ListOf(query["type"]), SeverityOf(query["minSeverity"].ToString()), ListOf(query["fields"]),
            query["alarms"].ToString() is { Length: > 0 } alarms ? alarms : null);
        if (!request.Take(UnitsToWatch))
            await request.NextAsync().ConfigureAwait(false);
        if (forms.Make(request.Caller, ask, out var problem) is not { } form)
            return await RefuseAsync(context, problem).ConfigureAwait(false);
        var sources = query["source"] is { Count: > 0 } asked ? asked : new StringValues(EventSources.Default);
        if (await list.ParseAsync(context, request.Memory, sources, "source").ConfigureAwait(false)
            is not { } named)
            return null;
        if (door.TryComeBack(context, request.Caller, named, interval, form) is { } known)
            return known;
        await names.FollowAsync(request, named).ConfigureAwait(false);
        return await door.OpenAsync(
            context, request.Caller, new StreamOptions { IntervalMs = interval, MaxBatches = 1 },
            (values, memory) => door.TryHold(memory, request.Caller, EventSources.BytesOf(named) + form.Bytes)
                ? new LiveStream(
                    request.Caller, values, interval, named, [],
                    new EventHistory(limits.MaxHttpStreamEvents, limits.MaxHttpStreamHistoryBytes, memory))
                {
                    Memory = memory,
                    Form = form,
                    Refreshes = RefreshPace.Of(form, values, time),
                }
                : null,
            stream => WatchAsync(context, request, stream)).ConfigureAwait(false);
    }

    private static async ValueTask<bool> WatchAsync(HttpContext context, RestRequest request, LiveStream stream)
    {
        if (!request.Take(stream.Nodes.Length * UnitsToWatch))
            await request.NextAsync().ConfigureAwait(false);
        var (status, detail) = EventSources.Watch(stream.Values, stream.Nodes, stream.Form!);
        request.EndTurns();
        if (!status.IsBad)
            return true;
        await Problem.WriteAsync(context, status, detail).ConfigureAwait(false);
        return false;
    }

    private static async Task<StreamEntry?> RefuseAsync(HttpContext context, string problem)
    {
        await Problem.WriteAsync(context, StatusCodes.BadInvalidArgument, problem).ConfigureAwait(false);
        return null;
    }

    /// <summary>Repeated, or separated by commas.</summary>
    private static string[] ListOf(StringValues texts) =>
        [.. texts.SelectMany(static text => (text ?? "").Split(',', StringSplitOptions.TrimEntries)
            .Where(static one => one.Length > 0))];

    private static double? SeverityOf(string text) => text.Length == 0 ? null
        : int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var number) ? number
        : double.NaN;
}
