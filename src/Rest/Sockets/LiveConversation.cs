using Gateway.Codec.Json;
using Gateway.Codec.Types;
using Gateway.Rest.Access;
using Gateway.Rest.Nodes;
using Microsoft.AspNetCore.Http;
using StatusCodes = Gateway.Codec.Types.StatusCodes;

namespace Gateway.Rest.Sockets;

/// <summary>The conversation with one client of <c>/ws</c>: each message is answered before the next is read, so a
/// client that takes no answers is not heard either. Owner: the request.</summary>
internal sealed class LiveConversation(HttpContext context, SocketConnection connection, LiveParts parts)
{
    private const string ExpectedInterval = "interval: expected a number of milliseconds above 0";
    private const double DefaultIntervalMs = 1000;

    private SocketRate _rate = new(parts.Limits.MaxHttpWebSocketOpsPerSecond);
    private LiveSubscription? _subscription;
    private Task _pump = Task.CompletedTask;
    private int _refused;

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
            await _pump.ConfigureAwait(false);
        }
    }

    /// <summary>A small message is answered without a wait and without an allocation.</summary>
    private ValueTask AnswerAsync()
    {
        var status = LiveOp.Read(connection.Message, parts.Limits.MaxHttpNodes, out var op, out var problem);
        if (!_rate.TryTake(parts.Time))
            return new ValueTask(RefuseAsync(op.Id));
        _refused = 0;
        if (status.IsBad)
            return SendAsync(parts.Answers.Error(status, problem, op.Id));
        if (op.Kind == LiveOpKind.Ping)
            return SendAsync(Ended(parts.Answers.Begin("pong", op.Id)));
        if (op.Kind == LiveOpKind.Login)
            return new ValueTask(LogInAsync(op));
        return connection.Caller is null
            ? SendAsync(parts.Answers.Error(
                StatusCodes.BadUserAccessDenied, "log in first: {\"op\":\"login\",\"user\":…,\"password\":…}", op.Id))
            : new ValueTask(ServeAsync(op));
    }

    /// <summary>Each gets its error; one that goes on and on is cut off.</summary>
    private async Task RefuseAsync(ReadOnlyMemory<byte> id)
    {
        parts.Counters.OnRateRefused();
        var most = parts.Limits.MaxHttpWebSocketOpsPerSecond;
        if (++_refused > most)
            await connection.EndAsync(SocketEnd.OpRate).ConfigureAwait(false);
        else
            await SendAsync(parts.Answers.Error(StatusCodes.BadTooManyOperations, LiveAnswers.TooMany(most), id))
                .ConfigureAwait(false);
    }

    private Task ServeAsync(LiveOp op) => op.Kind switch
    {
        LiveOpKind.Subscribe => SubscribeAsync(op),
        LiveOpKind.Unsubscribe => UnsubscribeAsync(op),
        LiveOpKind.Rate => ChangeRateAsync(op),
        _ => WriteAsync(op),
    };

    private async Task LogInAsync(LiveOp op)
    {
        if (op.Token is null && op.User is null)
        {
            await ErrorAsync(op, StatusCodes.BadIdentityTokenInvalid, "expected user and password, or token")
                .ConfigureAwait(false);
            return;
        }

        var authorization = op.Token is { } token
            ? SocketLogin.BearerOf(token)
            : SocketLogin.BasicOf(op.User!, op.Password);
        var before = connection.Caller;
        if (!await SocketLogin.TryAsync(context, authorization).ConfigureAwait(false))
        {
            await ErrorAsync(op, StatusCodes.BadIdentityTokenRejected, "the login was refused").ConfigureAwait(false);
            return;
        }

        var caller = RestCaller.Of(context);
        if (before?.Identity is { } known && !known.IsSameUser(caller.Identity) &&
            !(known.IsAnonymous && _subscription is null))
        {
            // The first one keeps the WebSocket and its stream (R15).
            context.Features.Set(known);
            await ErrorAsync(
                op, StatusCodes.BadIdentityChangeNotSupported, "open another WebSocket for another user")
                .ConfigureAwait(false);
            return;
        }

        connection.Caller = caller;
        _subscription?.ChangeUser(caller);
        var writer = parts.Answers.Begin("loggedIn", op.Id);
        writer.Json.WriteString("user"u8, caller.Identity!.DisplayName);
        await SendAsync(Ended(writer)).ConfigureAwait(false);
    }

    private async Task SubscribeAsync(LiveOp op)
    {
        var interval = op.Interval ?? _subscription?.Interval ?? DefaultIntervalMs;
        if (!IsInterval(interval))
        {
            await ErrorAsync(op, StatusCodes.BadInvalidArgument, ExpectedInterval).ConfigureAwait(false);
            return;
        }

        if (await FindAsync(op).ConfigureAwait(false) is not { } nodes)
            return;
        if (_subscription is null)
        {
            var opened = parts.Streams.Open(connection, connection.Caller!, interval, out var status, out var problem);
            if (opened is null)
            {
                await ErrorAsync(op, status, problem).ConfigureAwait(false);
                return;
            }

            _subscription = opened;
            connection.IsWatching = true;
            _pump = opened.PumpAsync();
        }
        else if (op.Interval is { } other && other != _subscription.Interval)
        {
            _subscription.ChangeInterval(other);
        }

        var subscription = _subscription;
        await InTurnAsync(() => parts.Answers.Results(
            "subscribed", op.Id, nodes, subscription.Add(nodes), interval: subscription.Interval))
            .ConfigureAwait(false);
    }

    private async Task UnsubscribeAsync(LiveOp op)
    {
        NamedNode[]? nodes = [];
        if (op.Nodes is not null && (nodes = await FindAsync(op).ConfigureAwait(false)) is null)
            return;
        await InTurnAsync(() =>
        {
            var results = new StatusCode[nodes.Length];
            if (_subscription is null)
                Array.Fill(results, StatusCodes.BadNoEntryExists);
            else if (op.Nodes is null)
                _subscription.Clear();
            else
                results = _subscription.Remove(nodes);
            return parts.Answers.Results("unsubscribed", op.Id, nodes, results);
        }).ConfigureAwait(false);
    }

    private async Task ChangeRateAsync(LiveOp op)
    {
        if (op.Interval is not { } interval || !IsInterval(interval))
            await ErrorAsync(op, StatusCodes.BadInvalidArgument, ExpectedInterval).ConfigureAwait(false);
        else if (_subscription is null || _subscription.ChangeInterval(interval).IsBad)
            await ErrorAsync(op, StatusCodes.BadNoSubscription, "nothing is watched").ConfigureAwait(false);
        else
            await SendRateAsync(op, _subscription.Interval).ConfigureAwait(false);
    }

    private ValueTask SendRateAsync(LiveOp op, double revised)
    {
        var writer = parts.Answers.Begin("rate", op.Id);
        writer.Json.WriteNumber("interval"u8, revised);
        return SendAsync(Ended(writer));
    }

    /// <summary>The operation of <c>PUT /values</c>.</summary>
    private async Task WriteAsync(LiveOp op)
    {
        if (op.Values is not { Length: > 0 } entries)
        {
            await ErrorAsync(op, StatusCodes.BadNothingToDo, "expected a member values with at least one value")
                .ConfigureAwait(false);
            return;
        }

        var named = Array.Empty<NamedNode>();
        var (parsed, problem) = (StatusCode.Good, default(string));
        (StatusCode[] Results, string?[] Messages) written = ([], []);
        var status = await RunAsync(async request =>
        {
            (parsed, problem) = parts.List.Parse(
                request.Memory, Array.ConvertAll(entries, static one => one.Node), "values", out named);
            if (!parsed.IsBad)
                written = await parts.Writing.WriteAsync(request, named, entries).ConfigureAwait(false);
        }).ConfigureAwait(false);
        if (parsed.IsBad || status.IsBad)
            await ErrorAsync(op, parsed.IsBad ? parsed : status, problem).ConfigureAwait(false);
        else
            await SendAsync(parts.Answers.Results("written", op.Id, named, written.Results, written.Messages))
                .ConfigureAwait(false);
    }

    /// <summary>Null: the error was answered.</summary>
    private async ValueTask<NamedNode[]?> FindAsync(LiveOp op)
    {
        var nodes = Array.Empty<NamedNode>();
        var (parsed, problem) = (StatusCode.Good, default(string));
        var status = await RunAsync(async request =>
        {
            (parsed, problem) = parts.List.Parse(request.Memory, op.Nodes ?? [], "nodes", out nodes);
            if (!parsed.IsBad && Array.Exists(nodes, static node => node.Path is not null))
                await parts.Names.FollowAsync(request, nodes).ConfigureAwait(false);
        }).ConfigureAwait(false);
        if (!parsed.IsBad && !status.IsBad)
            return nodes;
        await ErrorAsync(op, parsed.IsBad ? parsed : status, problem).ConfigureAwait(false);
        return null;
    }

    private Task<StatusCode> RunAsync(Func<RestRequest, Task> work) =>
        parts.Requests.RunAsync(connection.Caller!, connection.Address, work, connection.Gone);

    private static bool IsInterval(double interval) => double.IsFinite(interval) && interval > 0;

    private ValueTask ErrorAsync(LiveOp op, StatusCode status, string? detail) =>
        SendAsync(parts.Answers.Error(status, detail, op.Id));

    private static UaJsonWriter Ended(UaJsonWriter writer)
    {
        writer.EndObject();
        return writer;
    }

    private async Task InTurnAsync(Func<UaJsonWriter> answer)
    {
        await connection.EnterAsync().ConfigureAwait(false);
        try
        {
            var writer = answer();
            try
            {
                await connection.SendInTurnAsync(writer.WrittenMemory).ConfigureAwait(false);
            }
            finally
            {
                writer.Return();
            }
        }
        finally
        {
            connection.Leave();
        }
    }

    private async ValueTask SendAsync(UaJsonWriter writer)
    {
        try
        {
            await connection.SendAsync(writer.WrittenMemory).ConfigureAwait(false);
        }
        finally
        {
            writer.Return();
        }
    }
}
