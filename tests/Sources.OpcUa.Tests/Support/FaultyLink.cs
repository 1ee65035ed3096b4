using System.Net;
using System.Net.Sockets;

namespace Gateway.Sources.OpcUa.Tests.Support;

/// <summary>A TCP port that leads to a server, until a test makes it faulty. From the server's side alone: a
/// gateway's bytes always pass, or are swallowed.</summary>
internal sealed class FaultyLink : IAsyncDisposable
{
    /// <summary>Of the server's answers, in Drip.</summary>
    private static readonly TimeSpan DripInterval = TimeSpan.FromMilliseconds(200);

    private readonly int _target;
    private readonly TcpListener _listener = new(IPAddress.Loopback, 0);
    private readonly CancellationTokenSource _stop = new();
    private readonly List<Socket> _open = [];
    private readonly List<Task> _pumps = [];
    private readonly Task _accepting;
    private TaskCompletionSource _changed = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private volatile Fault _fault;

    public FaultyLink(string serverUrl)
    {
        _target = new Uri(serverUrl).Port;
        _listener.Start();
        _accepting = AcceptAsync();
    }

    public enum Fault
    {
        None,

        /// <summary>Nothing is read from either side: a stopped process.</summary>
        Freeze,

        /// <summary>All is read and nothing passes: a connection that only one end knows of.</summary>
        Swallow,

        /// <summary>A byte now and then.</summary>
        Drip,
    }

    public string Url => $"opc.tcp://127.0.0.1:{((IPEndPoint)_listener.LocalEndpoint).Port}";

    public void Set(Fault fault)
    {
        _fault = fault;
        Interlocked.Exchange(
            ref _changed, new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously)).SetResult();
    }

    /// <summary>To the gateway, between two of the server's messages.</summary>
    public void Inject(byte[] bytes)
    {
        lock (_open)
            _open[^2].Send(bytes);
    }

    public void Cut()
    {
        lock (_open)
        {
            foreach (var socket in _open)
                socket.Close(0);
            _open.Clear();
        }
    }

    public async ValueTask DisposeAsync()
    {
        await _stop.CancelAsync();
        _listener.Dispose();
        Cut();
        await _accepting;
        await Task.WhenAll(_pumps);
        _stop.Dispose();
    }

    private async Task AcceptAsync()
    {
        try
        {
            while (true)
            {
                var near = await _listener.AcceptSocketAsync(_stop.Token);
                var far = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
                await far.ConnectAsync(IPAddress.Loopback, _target, _stop.Token);
                (near.NoDelay, far.NoDelay) = (true, true);
                lock (_open)
                    _open.AddRange([near, far]);
                _pumps.Add(PumpAsync(near, far, isOfServer: false));
                _pumps.Add(PumpAsync(far, near, isOfServer: true));
            }
        }
        catch (Exception error) when (error is SocketException or OperationCanceledException or ObjectDisposedException)
        {
            // The end.
        }
    }

    private async Task PumpAsync(Socket from, Socket to, bool isOfServer)
    {
        var buffer = new byte[16 * 1024];
        try
        {
            while (true)
            {
                await ThawedAsync();
                var count = await from.ReceiveAsync(buffer, _stop.Token);
                if (count == 0)
                    break;
                // What came while it froze stays until it thaws.
                await ThawedAsync();
                if (_fault == Fault.Swallow)
                    continue;
                await SendAsync(to, buffer.AsMemory(0, count), isOfServer);
            }
        }
        catch (Exception error) when (error is SocketException or OperationCanceledException or ObjectDisposedException)
        {
            // Cut, or the end.
        }

        from.Dispose();
        to.Dispose();
    }

    private async Task SendAsync(Socket to, ReadOnlyMemory<byte> bytes, bool isOfServer)
    {
        using var drip = new PeriodicTimer(DripInterval);
        while (bytes.Length > 0)
        {
            var size = isOfServer && _fault == Fault.Drip ? 1 : bytes.Length;
            await to.SendAsync(bytes[..size], _stop.Token);
            bytes = bytes[size..];
            if (_fault == Fault.Drip && isOfServer)
                await drip.WaitForNextTickAsync(_stop.Token);
        }
    }

    private async Task ThawedAsync()
    {
        while (_fault == Fault.Freeze)
        {
            var changed = Volatile.Read(ref _changed).Task;
            if (_fault == Fault.Freeze)
                await changed.WaitAsync(_stop.Token);
        }
    }
}
