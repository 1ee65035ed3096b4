using Gateway.Codec.Json;
using Gateway.Codec.Types;
using Gateway.Operations.Access;
using Gateway.Rest.Access;
using Gateway.Rest.Events;
using Gateway.Rest.Nodes;
using Gateway.Rest.Streams;

namespace Gateway.Rest.Sockets;

/// <summary>The events of one WebSocket: one subscription, which another one replaces. Owner: the conversation.
/// </summary>
internal sealed class LiveEventWatching(SocketConnection connection, LiveParts parts)
{
    private const double DefaultIntervalMs = 500;

    /// <summary>Of work, to compile a filter and to watch a notifier.</summary>
    private const int UnitsToWatch = 256;

    private readonly LiveReplies _replies = new(connection, parts.Answers);
    private readonly List<Task> _pumps = [];
    private LiveEventWatch? _watch;

    public bool IsOpen => _watch is not null;

    public async Task SubscribeAsync(RestRequest request, LiveOp op)
    {
        var interval = op.Interval ?? DefaultIntervalMs;
        var (status, problem) = ((StatusCode)StatusCodes.BadInvalidArgument, (string?)IntervalQuery.Expected);
        var form = default(EventForm);
        NamedNode[] sources = [];
        if (!request.Take(UnitsToWatch * (1 + (op.Sources?.Length ?? 0))))
            await request.NextAsync().ConfigureAwait(false);
        if (IntervalQuery.IsValid(interval))
        {
            var ask = new EventAsk(op.Types ?? [], op.MinSeverity, op.Fields ?? [], op.Alarms);
            form = parts.Forms.Make(connection.Caller!, ask, out problem);
            if (form is not null)
                (status, problem) = parts.List.Parse(
                    request.Memory, op.Sources ?? [EventSources.Default], "source", out sources);
        }

        if (form is null || status.IsBad)
        {
            await _replies.ErrorAsync(op, status, problem).ConfigureAwait(false);
            return;
        }

        await parts.Names.FollowAsync(request, sources).ConfigureAwait(false);
        request.EndTurns();
        await _replies.InTurnAsync(
            request,
            () =>
            {
                (status, problem) = Watch(form, interval, sources);
                return default;
            },
            () => status.IsBad
                ? parts.Answers.Error(status, problem, op.Id)
                : Subscribed(op)).ConfigureAwait(false);
    }

    public Task UnsubscribeAsync(RestRequest request, LiveOp op)
    {
        var isKnown = false;
        return _replies.InTurnAsync(
            request,
            () =>
            {
                isKnown = IsOpen;
                Close();
                return default;
            },
            () => isKnown
                ? LiveReplies.Ended(parts.Answers.Begin("unsubscribedEvents", op.Id))
                : parts.Answers.Error(StatusCodes.BadNoSubscription, "no events are watched", op.Id));
    }

    public void ChangeUser(Caller caller) => _watch?.ChangeUser(caller);

    /// <summary>The client has gone.</summary>
    public async Task EndAsync()
    {
        Close();
        await Task.WhenAll(_pumps).ConfigureAwait(false);
    }

    /// <summary>The sender has the turn. The one before goes only if the new one is there.</summary>
    private (StatusCode Status, string? Problem) Watch(EventForm form, double interval, NamedNode[] sources)
    {
        var opened = parts.Streams.OpenEvents(
            connection, connection.Caller!, interval, form, _watch, out var status, out var problem);
        if (opened is null)
            return (status, Explain(status, problem));
        (status, problem) = opened.Watch(sources);
        if (status.IsBad)
        {
            opened.Close();
            return (status, Explain(status, problem));
        }

        Close();
        _watch = opened;
        connection.IsWatching = true;
        _pumps.RemoveAll(static pump => pump.IsCompletedSuccessfully);
        _pumps.Add(opened.PumpAsync());
        return (status, problem);
    }

    /// <summary>The engine has both for a moment, and says no more than at which source its room ended. The limit of
    /// streams explains itself: it counts both as one.</summary>
    private string? Explain(StatusCode status, string? problem) => IsOpen &&
        (status.CodeBits == StatusCodes.BadTooManyMonitoredItems ||
        (status.CodeBits == StatusCodes.BadTooManySubscriptions && problem is null))
            ? "there is no room beside the events that are watched now: unsubscribe from these first"
            : problem;

    private void Close()
    {
        _watch?.Close();
        _watch = null;
    }

    private UaJsonWriter Subscribed(LiveOp op)
    {
        var writer = parts.Answers.Begin("subscribedEvents", op.Id);
        writer.Json.WriteNumber("interval"u8, _watch!.Interval);
        return LiveReplies.Ended(writer);
    }
}
