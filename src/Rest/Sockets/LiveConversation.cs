using Gateway.Codec.Types;
using Gateway.Rest.Access;
using Gateway.Rest.Nodes;
using Gateway.Rest.Streams;
using Microsoft.AspNetCore.Http;
using StatusCodes = Gateway.Codec.Types.StatusCodes;

namespace Gateway.Rest.Sockets;

/// <summary>The conversation with one client of <c>/ws</c>: each message is answered before the next is read, so a
/// client that takes no answers is not heard either. Owner: the request.</summary>
internal sealed class LiveConversation(HttpContext context, SocketConnection connection, LiveParts parts)
{
    private const double DefaultIntervalMs = 1000;

    /// <summary>The number of WebSockets bounds all that smaller messages become.</summary>
    private const int UncountedBytes = 4 * 1024;
    private const int SmallBytes = 1024;

    /// <summary>An operation counts as one more for each so many nodes.</summary>
    private const int NodesOfAnOp = 1_000;

    private readonly LiveReplies _replies = new(connection, parts.Answers);
    private readonly LiveEventWatching _events = new(connection, parts);
    private SocketRate _rate = new(parts.Limits.MaxHttpWebSocketOpsPerSecond);
    private LiveSubscription? _subscription;
    private Task _pump = Task.CompletedTask;
    private SocketRefusals _refusals;

    public async Task RunAsync()
    {
        if (context.Features.Get<Operations.Access.UserIdentity>() is not null)
            connection.Caller = RestCaller.Of(context);
        try
        {
            while (await connection.ReceiveAsync().ConfigureAwait(false) is var input and not SocketInput.End)
            {
                parts.Counters.OnMessage();
                if (input == SocketInput.Binary)
                {
                    await connection.EndAsync(SocketEnd.WrongKind).ConfigureAwait(false);
                    return;
                }

                await AnswerAsync().ConfigureAwait(false);
                connection.Forget();
            }
        }
        finally
        {
            _subscription?.Close();
            await _events.EndAsync().ConfigureAwait(false);
            await _pump.ConfigureAwait(false);
        }
    }

    /// <summary>A small message is answered without a wait and without an allocation.</summary>
    private ValueTask AnswerAsync()
    {
        var message = connection.Message;
        if (!_rate.TryTake(parts.Time))
            return new ValueTask(RefuseAsync(message));
        if (connection.Caller is not null && message.Length > UncountedBytes)
            return new ValueTask(ServeAsync(decoded: null));
        var status = LiveOp.Read(message, meter: null, parts.Limits.MaxHttpNodes, out var op, out var problem);
        if (status.IsBad)
            return _replies.SendAsync(parts.Answers.Error(status, problem, op.Id));
        if (op.Kind == LiveOpKind.Ping)
            return _replies.SendAsync(LiveReplies.Ended(parts.Answers.Begin("pong", op.Id)));
        if (op.Kind == LiveOpKind.Login)
            return new ValueTask(LogInAsync(op));
        return connection.Caller is null
            ? _replies.SendAsync(parts.Answers.Error(
                StatusCodes.BadUserAccessDenied, "log in first: {\"op\":\"login\",\"user\":…,\"password\":…}", op.Id))
            : new ValueTask(ServeAsync(op));
    }

    /// <summary>Each gets its error; a flood is cut off. Only a small message is read for its id.</summary>
    private async Task RefuseAsync(ReadOnlyMemory<byte> message)
    {
        parts.Counters.OnRateRefused();
        var most = parts.Limits.MaxHttpWebSocketOpsPerSecond;
        if (_refusals.IsFlood(most, parts.Time))
        {
            await connection.EndAsync(SocketEnd.OpRate).ConfigureAwait(false);
            return;
        }

        var op = default(LiveOp);
        if (message.Length <= SmallBytes)
            LiveOp.Read(message, meter: null, parts.Limits.MaxHttpNodes, out op, out _);
        await _replies.ErrorAsync(op, StatusCodes.BadTooManyOperations, LiveAnswers.TooMany(most))
            .ConfigureAwait(false);
    }

    /// <summary>Within its time and its turns. Null: the message is decoded first, what it makes counts until it is
    /// answered, and a large one waits for the other requests that are larger than a turn.</summary>
    private async Task ServeAsync(LiveOp? decoded)
    {
        var op = decoded.GetValueOrDefault();
        var status = await parts.Requests.RunAsync(connection.Caller!, connection.Address, async request =>
        {
            if (decoded is null)
            {
                if (connection.Message.Length > parts.MaxImmediateBytes)
                    await request.NextAsync().ConfigureAwait(false);
                var read = LiveOp.Read(
                    connection.Message, request.Memory.Meter, parts.Limits.MaxHttpNodes, out op, out var problem);
                request.EndTurns();
                if (read.IsBad)
                {
                    await _replies.ErrorAsync(op, read, problem).ConfigureAwait(false);
                    return;
                }
            }

            _rate.Charge(parts.Time, op.Count / NodesOfAnOp);
            await ServeAsync(request, op).ConfigureAwait(false);
        }, connection.Gone).ConfigureAwait(false);
        if (status.IsBad)
            await _replies.ErrorAsync(op, status, detail: null).ConfigureAwait(false);
    }

    private Task ServeAsync(RestRequest request, LiveOp op) => op.Kind switch
    {
        LiveOpKind.Ping => _replies.SendAsync(LiveReplies.Ended(parts.Answers.Begin("pong", op.Id))).AsTask(),
        LiveOpKind.Login => LogInAsync(op),
        LiveOpKind.Subscribe => SubscribeAsync(request, op),
        LiveOpKind.Unsubscribe => UnsubscribeAsync(request, op),
        LiveOpKind.Rate => ChangeRateAsync(request, op),
        LiveOpKind.SubscribeEvents => _events.SubscribeAsync(request, op),
        LiveOpKind.UnsubscribeEvents => _events.UnsubscribeAsync(request, op),
        _ => WriteAsync(request, op),
    };

    private async Task LogInAsync(LiveOp op)
    {
        if (op.Token is null && op.User is null)
        {
            await _replies.ErrorAsync(op, StatusCodes.BadIdentityTokenInvalid, "expected user and password, or token")
                .ConfigureAwait(false);
            return;
        }

        var authorization = op.Token is { } token
            ? SocketLogin.BearerOf(token)
            : SocketLogin.BasicOf(op.User!, op.Password);
        var before = connection.Caller;
        if (!await SocketLogin.TryAsync(context, authorization).ConfigureAwait(false))
        {
            await _replies.ErrorAsync(op, StatusCodes.BadIdentityTokenRejected, "the login was refused")
                .ConfigureAwait(false);
            return;
        }

        var caller = RestCaller.Of(context);
        if (before?.Identity is { } known && !known.IsSameUser(caller.Identity) &&
            !(known.IsAnonymous && _subscription is null && !_events.IsOpen))
        {
            // The first one keeps the WebSocket and its stream (R15).
            context.Features.Set(known);
            await _replies.ErrorAsync(
                op, StatusCodes.BadIdentityChangeNotSupported, "open another WebSocket for another user")
                .ConfigureAwait(false);
            return;
        }

        connection.Caller = caller;
        _subscription?.ChangeUser(caller);
        _events.ChangeUser(caller);
        var writer = parts.Answers.Begin("loggedIn", op.Id);
        writer.Json.WriteString("user"u8, caller.Identity!.DisplayName);
        await _replies.SendAsync(LiveReplies.Ended(writer)).ConfigureAwait(false);
    }

    private async Task SubscribeAsync(RestRequest request, LiveOp op)
    {
        var interval = op.Interval ?? _subscription?.Interval ?? DefaultIntervalMs;
        if (!IntervalQuery.IsValid(interval))
        {
            await _replies.ErrorAsync(op, StatusCodes.BadInvalidArgument, IntervalQuery.Expected).ConfigureAwait(false);
            return;
        }

        if (await FindAsync(request, op).ConfigureAwait(false) is not { } nodes)
            return;
        if (_subscription is not { } subscription)
        {
            var opened = parts.Streams.Open(connection, connection.Caller!, interval, out var status, out var problem);
            if (opened is null)
            {
                await _replies.ErrorAsync(op, status, problem).ConfigureAwait(false);
                return;
            }

            _subscription = subscription = opened;
            connection.IsWatching = true;
            _pump = opened.PumpAsync();
        }

        var results = Unanswered(nodes.Length);
        await _replies.InTurnAsync(
            request,
            async () =>
            {
                if (op.Interval is { } other && other != subscription.Interval)
                    await ChangeIntervalAsync(request, subscription, other).ConfigureAwait(false);
                await subscription.AddAsync(request, nodes, results).ConfigureAwait(false);
            },
            () => parts.Answers.Results("subscribed", op.Id, nodes, results, interval: subscription.Interval))
            .ConfigureAwait(false);
    }

    private async Task UnsubscribeAsync(RestRequest request, LiveOp op)
    {
        NamedNode[]? nodes = [];
        if (op.Nodes is not null && (nodes = await FindAsync(request, op).ConfigureAwait(false)) is null)
            return;
        var results = Unanswered(nodes.Length);
        await _replies.InTurnAsync(
            request,
            () =>
            {
                if (_subscription is null)
                    Array.Fill(results, StatusCodes.BadNoEntryExists);
                else if (op.Nodes is not null)
                    return _subscription.RemoveAsync(request, nodes, results);
                else
                    return ClearAsync(request, _subscription);
                return default;
            },
            () => parts.Answers.Results("unsubscribed", op.Id, nodes, results)).ConfigureAwait(false);
    }

    private ValueTask ClearAsync(RestRequest request, LiveSubscription subscription)
    {
        _rate.Charge(parts.Time, subscription.Count / NodesOfAnOp);
        return subscription.ClearAsync(request);
    }

    private async Task ChangeRateAsync(RestRequest request, LiveOp op)
    {
        if (op.Interval is not { } interval || !IntervalQuery.IsValid(interval))
            await _replies.ErrorAsync(op, StatusCodes.BadInvalidArgument, IntervalQuery.Expected).ConfigureAwait(false);
        else if (_subscription is null ||
            (await ChangeIntervalAsync(request, _subscription, interval).ConfigureAwait(false)).IsBad)
            await _replies.ErrorAsync(op, StatusCodes.BadNoSubscription, "nothing is watched").ConfigureAwait(false);
        else
            await SendRateAsync(op, _subscription.Interval).ConfigureAwait(false);
    }

    /// <summary>It counts by the nodes that are watched, however small the message is.</summary>
    private ValueTask<StatusCode> ChangeIntervalAsync(
        RestRequest request, LiveSubscription subscription, double interval)
    {
        _rate.Charge(parts.Time, subscription.Count / NodesOfAnOp);
        return subscription.ChangeIntervalAsync(request, interval);
    }

    private ValueTask SendRateAsync(LiveOp op, double revised)
    {
        var writer = parts.Answers.Begin("rate", op.Id);
        writer.Json.WriteNumber("interval"u8, revised);
        return _replies.SendAsync(LiveReplies.Ended(writer));
    }

    /// <summary>The operation of <c>PUT /values</c>.</summary>
    private async Task WriteAsync(RestRequest request, LiveOp op)
    {
        if (op.Values is not { Length: > 0 } entries)
        {
            await _replies.ErrorAsync(
                op, StatusCodes.BadNothingToDo, "expected a member values with at least one value")
                .ConfigureAwait(false);
            return;
        }

        var (parsed, problem) = parts.List.Parse(
            request.Memory, Array.ConvertAll(entries, static one => one.Node), "values", out var named);
        if (parsed.IsBad)
        {
            await _replies.ErrorAsync(op, parsed, problem).ConfigureAwait(false);
            return;
        }

        var (results, messages) = await parts.Writing.WriteAsync(request, named, entries).ConfigureAwait(false);
        request.EndTurns();
        await _replies.SendAsync(parts.Answers.Results("written", op.Id, named, results, messages))
            .ConfigureAwait(false);
    }

    /// <summary>Null: the error was answered.</summary>
    private async ValueTask<NamedNode[]?> FindAsync(RestRequest request, LiveOp op)
    {
        var (parsed, problem) = parts.List.Parse(request.Memory, op.Nodes ?? [], "nodes", out var nodes);
        if (parsed.IsBad)
        {
            await _replies.ErrorAsync(op, parsed, problem).ConfigureAwait(false);
            return null;
        }

        await parts.Names.FollowAsync(request, nodes).ConfigureAwait(false);
        request.EndTurns();
        return nodes;
    }

    /// <summary>The result of the nodes that the work does not come to in its time.</summary>
    private static StatusCode[] Unanswered(int count)
    {
        var results = new StatusCode[count];
        Array.Fill(results, StatusCodes.BadTimeout);
        return results;
    }
}
