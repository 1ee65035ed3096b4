using System.Net;
using System.Net.WebSockets;
using Gateway.Admission;
using Gateway.Admission.Caps;
using Gateway.Admission.Clients;
using Gateway.Admission.Stages;
using Gateway.Rest.Answers;
using Gateway.Server;
using Gateway.Transport.Timing;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Logging;
using StatusCode = Gateway.Codec.Types.StatusCode;
using StatusCodes = Gateway.Codec.Types.StatusCodes;

namespace Gateway.Rest.Sockets;

/// <summary>The WebSockets, bounded in all and by address; one timer looks after the deadlines of those that carry
/// JSON. Threads: any; its lock is a leaf.</summary>
internal sealed partial class SocketBook : IDisposable
{
    private static readonly TimeSpan SweepInterval = TimeSpan.FromSeconds(1);

    private readonly Lock _lock = new();
    private readonly HashSet<SocketConnection> _sockets = [];
    private readonly Dictionary<IPAddress, int> _ofAddresses = [];
    private readonly SocketParts _parts;
    private readonly WebOrigins _origins;
    private readonly GatewayServer _server;
    private readonly AdmissionControl _admission;
    private readonly ILogger<SocketBook> _logger;
    private readonly ITimer _timer;
    private int _taken;

    public SocketBook(
        SocketParts parts, SocketCounters counters, WebOrigins origins, GatewayServer server,
        AdmissionControl admission, ILogger<SocketBook> logger)
    {
        (_parts, Counters, _origins, _server) = (parts, counters, origins, server);
        (_admission, _logger) = (admission, logger);
        _timer = Contained.Every(parts.Time, SweepInterval, Sweep, LogSweepFailed);
    }

    public SocketCounters Counters { get; }

    /// <summary>Opens a WebSocket and runs its conversation, or answers a problem. The conversation's faults are
    /// contained (R40).</summary>
    /// <param name="context">Of the request.</param>
    /// <param name="protocol">The sub-protocol to agree on; null: none.</param>
    /// <param name="heartbeat">As <see cref="SocketConnection.Heartbeat"/>.</param>
    /// <param name="converse">Until it is over.</param>
    public async Task RunAsync(
        HttpContext context, string? protocol, ReadOnlyMemory<byte> heartbeat, Func<SocketConnection, Task> converse)
    {
        if (!await TryEnterAsync(context).ConfigureAwait(false))
            return;
        try
        {
            using var socket = await AcceptAsync(context, new WebSocketAcceptContext
            {
                SubProtocol = protocol,
                KeepAliveInterval = _parts.Limits.HttpStreamHeartbeat,
                KeepAliveTimeout = _parts.WriteDeadline,
            }).ConfigureAwait(false);
            if (socket is null)
                return;
            using var connection = new SocketConnection(context, socket, _parts) { Heartbeat = heartbeat };
            await ConverseAsync(connection, converse).ConfigureAwait(false);
        }
        finally
        {
            Leave(context);
        }
    }

    /// <summary>A place for a WebSocket of any kind, until <see cref="Leave"/>. False: a problem was answered.
    /// </summary>
    public async ValueTask<bool> TryEnterAsync(HttpContext context)
    {
        if (!_origins.IsAllowed(context.Request))
        {
            await Problem.WriteAsync(
                context, StatusCodes.BadUserAccessDenied, "a page of another origin: name it in Http:Cors:Origins")
                .ConfigureAwait(false);
            return false;
        }

        if (_server.IsShuttingDown)
        {
            await Problem.WriteAsync(context, StatusCodes.BadShutdown).ConfigureAwait(false);
            return false;
        }

        var address = AddressKey.Of(context.Connection.RemoteIpAddress);
        if (Take(address) is var full and not RefusalReason.None)
        {
            var decision = _admission.Refuse(AdmissionStage.Http, full, address.ToString(), null, null);
            await Problem.WriteAsync(context, decision, "Too many WebSockets").ConfigureAwait(false);
            return false;
        }

        return true;
    }

    public void Leave(HttpContext context) => GiveBack(AddressKey.Of(context.Connection.RemoteIpAddress));

    /// <summary>Null: the peer has gone meanwhile.</summary>
    public static async ValueTask<WebSocket?> AcceptAsync(HttpContext context, WebSocketAcceptContext options)
    {
        try
        {
            return await context.WebSockets.AcceptWebSocketAsync(options).ConfigureAwait(false);
        }
        catch (Exception error) when (SocketFaults.IsOfPeer(error))
        {
            context.Abort();
            return null;
        }
    }

    /// <summary>A fault of ours, for the log.</summary>
    public void Report(Exception error) => Contained.Report(error, LogFailed);

    /// <summary>For the caller whose work failed by a fault of ours.</summary>
    public StatusCode Answer(Exception error) => Contained.Answer(error, LogFailed);

    /// <summary>426. Source: RFC 9110 §7.8, RFC 6455 §4.4.</summary>
    public static Task AskForUpgradeAsync(HttpContext context)
    {
        const int UpgradeRequired = 426;
        var headers = context.Response.Headers;
        (headers.Upgrade, headers.SecWebSocketVersion) = ("websocket", "13");
        // HTTP/2 has no such header.
        if (HttpProtocol.IsHttp11(context.Request.Protocol))
            headers.Connection = "Upgrade";
        return Problem.WriteAsync(
            context, UpgradeRequired, "This path takes WebSockets only", StatusCodes.BadNotSupported);
    }

    /// <summary>403.</summary>
    public static Task RefuseOriginAsync(HttpContext context) => Problem.WriteAsync(
        context, StatusCodes.BadUserAccessDenied, "a page of another origin: name it in Http:Cors:Origins");

    public void Dispose() => _timer.Dispose();

    private async Task ConverseAsync(SocketConnection connection, Func<SocketConnection, Task> converse)
    {
        lock (_lock)
            _sockets.Add(connection);
        Counters.OnOpened();
        LogOpened(connection.Address);
        try
        {
            await converse(connection).ConfigureAwait(false);
        }
        catch (Exception error) when (SocketFaults.IsOfPeer(error))
        {
            // A peer that leaves at once upon the close cancels what was thrown: the cause is inside then.
            var cause = error as WebSocketException ?? error.InnerException as WebSocketException;
            var isMalformed = cause is
            {
                WebSocketErrorCode: not (
                WebSocketError.ConnectionClosedPrematurely or WebSocketError.InvalidState)
            };
            var lost = connection.TookNothing ? SocketEnd.Late : SocketEnd.Lost;
            _ = connection.EndAsync(isMalformed ? SocketEnd.Malformed : lost);
        }
#pragma warning disable CA1031 // A fault of ours is of this connection alone.
        catch (Exception error)
#pragma warning restore CA1031
        {
            Report(error);
            _ = connection.EndAsync(SocketEnd.Failed);
        }
        finally
        {
            await connection.FinishAsync().ConfigureAwait(false);
            lock (_lock)
                _sockets.Remove(connection);
            if (connection.Ending == SocketEnd.Late)
                connection.CountLate();
            Counters.OnEnded(connection.Ending);
            LogEnded(connection.Address, connection.Ending);
        }
    }

    /// <summary>Fewer where there are fewer connections: a sixth of these is for other requests.</summary>
    private long Most
    {
        get
        {
            var connections = new FairCap(_admission.Http.Limit);
            return Math.Min(_parts.Limits.MaxHttpWebSockets, connections.Open);
        }
    }

    private RefusalReason Take(IPAddress address)
    {
        var limits = _parts.Limits;
        lock (_lock)
        {
            var own = _ofAddresses.GetValueOrDefault(address);
            if (own >= limits.MaxHttpWebSocketsPerAddress)
                return RefusalReason.MaxHttpWebSocketsPerAddress;
            if (new FairCap(Most).Judge(_taken + 1, own) != CapVerdict.Granted)
                return RefusalReason.MaxHttpWebSockets;
            _ofAddresses[address] = own + 1;
            _taken++;
            return RefusalReason.None;
        }
    }

    private void GiveBack(IPAddress address)
    {
        lock (_lock)
        {
            _taken--;
            if (--_ofAddresses[address] == 0)
                _ofAddresses.Remove(address);
        }
    }

    private void Sweep()
    {
        SocketConnection[] sockets;
        lock (_lock)
            sockets = [.. _sockets];
        var now = _parts.Time.GetTimestamp();
        foreach (var socket in sockets)
        {
            // Those that watch end when their stream is closed.
            if (_server.IsShuttingDown && !socket.IsAwaited)
                _ = socket.EndAsync(SocketEnd.Shutdown);
            socket.Look(now);
        }
    }
}
