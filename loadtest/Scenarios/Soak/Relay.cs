using System.Net;
using System.Net.Sockets;
using Gateway.Transport.Profiles;

namespace Gateway.Loadtest.Scenarios.Soak;

/// <summary>A wire between a client and the server that a run can hold up and cut, so that the client need not
/// misbehave itself: unread bytes fill the server's socket, as with a client that hangs. Threads: any.
/// </summary>
internal sealed class Relay : IDisposable
{
    private readonly IPEndPoint _server;
    private readonly Socket _listener = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
    private readonly CancellationTokenSource _end = new();
    private readonly Lock _lock = new();
    private readonly List<Socket> _sockets = [];
    private TaskCompletionSource _reads = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <param name="serverUrl">Its host has to be an address.</param>
    public Relay(string serverUrl)
    {
        var uri = new Uri(serverUrl);
        var host = uri.Host == "localhost" ? IPAddress.Loopback : IPAddress.Parse(uri.Host);
        _server = new IPEndPoint(host, TransportProfiles.UaTcp.PortOf(uri));
        _reads.SetResult();
        _listener.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        _listener.Listen();
        _ = AcceptAsync();
    }

    public string Url => $"opc.tcp://127.0.0.1:{((IPEndPoint)_listener.LocalEndPoint!).Port}";

    /// <summary>From now on no byte of the server is taken.</summary>
    public void StopReading()
    {
        lock (_lock)
        {
            if (_reads.Task.IsCompleted)
                _reads = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        }
    }

    public void GoOn()
    {
        lock (_lock)
            _reads.TrySetResult();
    }

    /// <summary>Resets all connections, as a cable that is pulled and a router that says so.</summary>
    public void Cut()
    {
        lock (_lock)
        {
            foreach (var socket in _sockets)
                Reset(socket);
            _sockets.Clear();
        }
    }

    public void Dispose()
    {
        _end.Cancel();
        GoOn();
        Cut();
        _listener.Dispose();
        _end.Dispose();
    }

    private async Task AcceptAsync()
    {
        try
        {
            while (true)
            {
                var client = await _listener.AcceptAsync(_end.Token);
                var server = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
                lock (_lock)
                    _sockets.AddRange([client, server]);
                await server.ConnectAsync(_server, _end.Token);
                _ = PumpAsync(client, server, mayStop: false);
                _ = PumpAsync(server, client, mayStop: true);
            }
        }
        catch (Exception end) when (end is OperationCanceledException or SocketException or ObjectDisposedException)
        {
            // The run is over, or the server takes no more.
        }
    }

    private async Task PumpAsync(Socket from, Socket to, bool mayStop)
    {
        var buffer = new byte[16 * 1024];
        try
        {
            while (true)
            {
                if (mayStop)
                    await Reads();
                var count = await from.ReceiveAsync(buffer);
                if (count == 0)
                    break;
                for (var sent = 0; sent < count;)
                    sent += await to.SendAsync(buffer.AsMemory(sent, count - sent));
            }

            to.Shutdown(SocketShutdown.Send);
        }
        catch (Exception end) when (end is SocketException or ObjectDisposedException)
        {
            to.Dispose();
        }
    }

    private static void Reset(Socket socket)
    {
        try
        {
            socket.LingerState = new LingerOption(true, 0);
            socket.Close();
        }
        catch (ObjectDisposedException)
        {
            // Its other side went first.
        }
    }

    private Task Reads()
    {
        lock (_lock)
            return _reads.Task;
    }
}
