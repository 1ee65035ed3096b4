using System.Net;
using System.Net.Sockets;

namespace Gateway.Loadtest.Scenarios.Abuse;

/// <summary>
/// A wire between real clients and the server on which every handshake stops at one point: both sides are reset there,
/// or the server's side is held open in silence. The server sees the abusers' addresses. Threads: any.
/// </summary>
internal sealed class HandshakeRelay : IDisposable
{
    private readonly WireTarget _target;
    private readonly HandshakePoint _point;
    private readonly bool _holds;
    private readonly int _addresses;
    private readonly Socket _listener = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
    private readonly CancellationTokenSource _end = new();
    private readonly Lock _lock = new();
    private readonly List<Socket> _held = [];
    private int _connections;
    private int _reached;

    /// <param name="target">The server.</param>
    /// <param name="point">Where it stops.</param>
    /// <param name="holds">False: it resets.</param>
    /// <param name="addresses">So many of the abusers' source addresses, in turn.</param>
    public HandshakeRelay(WireTarget target, HandshakePoint point, bool holds, int addresses)
    {
        (_target, _point, _holds, _addresses) = (target, point, holds, addresses);
        _listener.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        _listener.Listen(1024);
        Url = $"opc.tcp://127.0.0.1:{((IPEndPoint)_listener.LocalEndPoint!).Port}";
        _ = AcceptAsync();
    }

    public string Url { get; }

    /// <summary>Handshakes that came to the point.</summary>
    public int Reached => Volatile.Read(ref _reached);

    /// <summary>Connections that are held now.</summary>
    public int Held
    {
        get
        {
            lock (_lock)
                return _held.Count;
        }
    }

    public void ResetOldest()
    {
        lock (_lock)
        {
            if (_held.Count == 0)
                return;
            WireTarget.Reset(_held[0]);
            _held.RemoveAt(0);
        }
    }

    public void Dispose()
    {
        if (_end.IsCancellationRequested)
            return;
        _end.Cancel();
        _listener.Dispose();
        lock (_lock)
        {
            foreach (var socket in _held)
                WireTarget.Reset(socket);
            _held.Clear();
        }
    }

    private async Task AcceptAsync()
    {
        try
        {
            while (true)
                _ = RelayAsync(await _listener.AcceptAsync(_end.Token), _end.Token);
        }
        catch (Exception end) when (end is OperationCanceledException or SocketException or ObjectDisposedException)
        {
            // The run is over.
        }
    }

    private async Task RelayAsync(Socket client, CancellationToken end)
    {
        Socket? server = null;
        var wire = new Wire();
        try
        {
            server = await _target.ConnectAsync(Interlocked.Increment(ref _connections) % _addresses, end);
            client.NoDelay = true;
            var there = PumpAsync(client, server, wire, isAnswer: false, end);
            var back = PumpAsync(server, client, wire, isAnswer: true, end);
            await await Task.WhenAny(there, back);
        }
        catch (Exception over) when (over is OperationCanceledException or SocketException or ObjectDisposedException
            or InvalidDataException)
        {
            // Either side went before the point.
        }

        var isReached = Volatile.Read(ref wire.IsStopped) != 0;
        if (isReached)
            Interlocked.Increment(ref _reached);
        WireTarget.Reset(client);
        if (server is null)
            return;
        if (isReached && _holds)
            await HoldAsync(server, end);
        else
            WireTarget.Reset(server);
    }

    /// <summary>Ends at the point, and where either side closes.</summary>
    private async Task PumpAsync(Socket from, Socket to, Wire wire, bool isAnswer, CancellationToken end)
    {
        while (await WireFrame.ReadAsync(from, end) is { IsEnd: false } frame)
        {
            if (isAnswer && frame.IsFinal && _point.IsReached(0, ++wire.Answered))
            {
                Volatile.Write(ref wire.IsStopped, 1);
                return;
            }

            await WireFrame.SendAsync(to, frame.Bytes, end);
            if (!isAnswer && frame.IsFinal && _point.IsReached(++wire.Sent, 0))
            {
                Volatile.Write(ref wire.IsStopped, 1);
                return;
            }
        }
    }

    /// <summary>Until the server closes it, or we do.</summary>
    private async Task HoldAsync(Socket server, CancellationToken end)
    {
        lock (_lock)
            _held.Add(server);
        try
        {
            var ignored = new byte[256];
            while (await server.ReceiveAsync(ignored, end) > 0)
            {
                // The server's answer to it is ignored.
            }
        }
        catch (Exception over) when (over is OperationCanceledException or SocketException or ObjectDisposedException)
        {
            // The server reset it, or we did.
        }

        lock (_lock)
            _held.Remove(server);
        WireTarget.Reset(server);
    }

    private sealed class Wire
    {
        public int Sent;
        public int Answered;
        public int IsStopped;
    }
}
