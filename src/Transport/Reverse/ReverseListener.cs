using System.Collections.Concurrent;
using System.Net;
using System.Net.Sockets;
using Gateway.Codec.Binary;
using Gateway.Transport.Conversation;

namespace Gateway.Transport.Reverse;

/// <summary>
/// Waits for servers that cannot be connected to: each opens a connection and says who it is (ReverseHello, Part 6
/// §7.1.2.6); the client then says HEL on it as usual. Nothing of what it says is believed: it only chooses the
/// configured server whose certificate the channel asks for. Bounded in number, by address and in all, in time and in
/// rate; a connection costs no more than its socket until somebody takes it. Threads: any.
/// </summary>
public sealed class ReverseListener : IAsyncDisposable
{
    /// <summary>Connections that have not said who they are.</summary>
    public const int MaxUnknown = 32;

    public const int MaxUnknownOfAnAddress = 4;

    /// <summary>Accepted in a second over time, and so many at once; others are closed unread.</summary>
    public const int MaxAcceptsPerSecond = 50;

    /// <summary>Of one server that wait: a session needs two, discovery and its own.</summary>
    public const int MaxWaiting = 2;

    /// <summary>From the connection to the end of its ReverseHello.</summary>
    public static readonly TimeSpan HelloDeadline = TimeSpan.FromSeconds(5);

    /// <summary>After one that could not be accepted: without a descriptor the next try fails as well.</summary>
    private static readonly TimeSpan AcceptPause = TimeSpan.FromMilliseconds(100);

    private readonly Socket _socket;
    private readonly Func<string, string, string?> _match;
    private readonly TimeProvider _time;
    private readonly Action<ReverseOutcome, IPEndPoint?, string, string>? _onOutcome;
    private readonly CancellationTokenSource _stop = new();
    private readonly Lock _lock = new();
    private readonly Dictionary<IPAddress, int> _unknown = [];
    private readonly Dictionary<string, Waiting> _waiting = new(StringComparer.Ordinal);
    private readonly ConcurrentDictionary<Task, bool> _running = [];
    private int _unknownCount;
    private int _disposed;
    private double _tokens = MaxAcceptsPerSecond;
    private long _filledAt;
    private Task _accepting = Task.CompletedTask;

    /// <param name="address">To listen at. Errors: <see cref="SocketException"/>.</param>
    /// <param name="match">The key of the configured server by ServerUri and EndpointUrl; null: nobody's.</param>
    /// <param name="time">Of deadline and rate.</param>
    /// <param name="onOutcome">Told of each connection, with its address, ServerUri and EndpointUrl as they came; must
    /// not throw.</param>
    public ReverseListener(
        IPEndPoint address, Func<string, string, string?> match, TimeProvider time,
        Action<ReverseOutcome, IPEndPoint?, string, string>? onOutcome = null)
    {
        (_match, _time, _onOutcome, _filledAt) = (match, time, onOutcome, time.GetTimestamp());
        _socket = new Socket(address.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
        try
        {
            if (address.Address.Equals(IPAddress.IPv6Any))
                _socket.DualMode = true;
            _socket.Bind(address);
            _socket.Listen(MaxUnknown);
        }
        catch
        {
            _socket.Dispose();
            throw;
        }
    }

    public IPEndPoint LocalEndPoint => (IPEndPoint)_socket.LocalEndPoint!;

    public void Start() => _accepting = AcceptAsync();

    /// <summary>The next connection of that server.</summary>
    public async ValueTask<Socket> TakeAsync(string key, CancellationToken cancellation)
    {
        while (true)
        {
            Waiting waiting;
            Task arrival;
            lock (_lock)
            {
                waiting = _waiting.TryGetValue(key, out var known) ? known : _waiting[key] = new Waiting();
                while (waiting.Sockets.TryDequeue(out var socket))
                {
                    if (IsAlive(socket))
                        return socket;
                    socket.Dispose();
                }

                arrival = waiting.Arrival.Task;
            }

            await arrival.WaitAsync(cancellation).ConfigureAwait(false);
        }
    }

    public async ValueTask DisposeAsync()
    {
        if (Interlocked.Exchange(ref _disposed, 1) != 0)
            return;
        await _stop.CancelAsync().ConfigureAwait(false);
        _socket.Dispose();
        await _accepting.ConfigureAwait(false);
        await Task.WhenAll(_running.Keys).ConfigureAwait(false);
        lock (_lock)
        {
            foreach (var socket in _waiting.Values.SelectMany(static one => one.Sockets))
                socket.Dispose();
            _waiting.Clear();
        }

        _stop.Dispose();
    }

    private async Task AcceptAsync()
    {
        while (!_stop.IsCancellationRequested)
        {
            Socket accepted;
            try
            {
                if (await TryAcceptAsync().ConfigureAwait(false) is not { } next)
                {
                    await Task.Delay(AcceptPause, _time, _stop.Token).ConfigureAwait(false);
                    continue;
                }

                accepted = next;
            }
            catch (Exception error) when (error is OperationCanceledException or ObjectDisposedException)
            {
                return;
            }

            var from = accepted.RemoteEndPoint as IPEndPoint;
            if (!TryEnter(from))
            {
                accepted.Dispose();
                _onOutcome?.Invoke(ReverseOutcome.Crowded, from, "", "");
                continue;
            }

            var reading = ReadAsync(accepted, from);
            _running.TryAdd(reading, true);
            _ = reading.ContinueWith(
                done => _running.TryRemove(done, out _), CancellationToken.None,
                TaskContinuationOptions.ExecuteSynchronously, TaskScheduler.Default);
        }
    }

    /// <summary>Null: the peer has gone already, or there is no descriptor now.</summary>
    private async ValueTask<Socket?> TryAcceptAsync()
    {
        try
        {
            return await _socket.AcceptAsync(_stop.Token).ConfigureAwait(false);
        }
        catch (SocketException)
        {
            return null;
        }
    }

    private async Task ReadAsync(Socket socket, IPEndPoint? from)
    {
        await Task.Yield();
        var (outcome, hello) = (ReverseOutcome.Malformed, default(ReverseHelloMessage));
        try
        {
            using var deadline = new CancellationTokenSource(HelloDeadline, _time);
            using var both = CancellationTokenSource.CreateLinkedTokenSource(deadline.Token, _stop.Token);
            if (await ReadHelloAsync(socket, both.Token).ConfigureAwait(false) is { } read)
            {
                hello = read;
                outcome = Place(socket, read);
            }
        }
        catch (OperationCanceledException)
        {
            outcome = ReverseOutcome.TimedOut;
        }
        catch (SocketException)
        {
            // It has gone.
        }
        finally
        {
            Leave(from);
            if (outcome != ReverseOutcome.Accepted)
                socket.Dispose();
        }

        _onOutcome?.Invoke(outcome, from, hello.ServerUri ?? "", hello.EndpointUrl ?? "");
    }

    /// <summary>Not a byte more: what comes next is for the channel. Null: it is no ReverseHello.</summary>
    private static async ValueTask<ReverseHelloMessage?> ReadHelloAsync(
        Socket socket, CancellationToken cancellation)
    {
        var header = new byte[MessageLayout.MessageHeaderSize];
        if (!await FillAsync(socket, header, cancellation).ConfigureAwait(false))
            return null;
        var frame = FrameReader.Parse(header);
        if (frame.Kind != MessageKind.ReverseHello || frame.Chunk != ChunkType.Final ||
            frame.SizeBytes is < MessageLayout.MessageHeaderSize or > ReverseHelloMessage.MaxSizeBytes)
            return null;
        var body = new byte[frame.SizeBytes - MessageLayout.MessageHeaderSize];
        return await FillAsync(socket, body, cancellation).ConfigureAwait(false) ? Parse(body) : null;
    }

    private static ReverseHelloMessage? Parse(byte[] body)
    {
        var reader = new UaBinaryReader(body);
        var hello = ReverseHelloMessage.Read(ref reader);
        return reader.Failed || string.IsNullOrEmpty(hello.EndpointUrl) ? null : hello;
    }

    private static async ValueTask<bool> FillAsync(Socket socket, Memory<byte> buffer, CancellationToken cancellation)
    {
        while (buffer.Length > 0)
        {
            var count = await socket.ReceiveAsync(buffer, cancellation).ConfigureAwait(false);
            if (count == 0)
                return false;
            buffer = buffer[count..];
        }

        return true;
    }

    private ReverseOutcome Place(Socket socket, in ReverseHelloMessage hello)
    {
        if (_match(hello.ServerUri ?? "", hello.EndpointUrl!) is not { } key)
            return ReverseOutcome.Unknown;
        lock (_lock)
        {
            var waiting = _waiting.TryGetValue(key, out var known) ? known : _waiting[key] = new Waiting();
            for (var i = waiting.Sockets.Count; i > 0; i--)
            {
                var before = waiting.Sockets.Dequeue();
                if (IsAlive(before))
                    waiting.Sockets.Enqueue(before);
                else
                    before.Dispose();
            }

            if (waiting.Sockets.Count >= MaxWaiting || _stop.IsCancellationRequested)
                return ReverseOutcome.Surplus;
            socket.NoDelay = true;
            waiting.Sockets.Enqueue(socket);
            waiting.Tell();
            return ReverseOutcome.Accepted;
        }
    }

    private bool TryEnter(IPEndPoint? from)
    {
        lock (_lock)
        {
            var now = _time.GetTimestamp();
            _tokens = Math.Min(
                MaxAcceptsPerSecond,
                _tokens + (_time.GetElapsedTime(_filledAt, now).TotalSeconds * MaxAcceptsPerSecond));
            _filledAt = now;
            var address = from?.Address ?? IPAddress.None;
            var ofAddress = _unknown.GetValueOrDefault(address);
            if (_tokens < 1 || _unknownCount >= MaxUnknown || ofAddress >= MaxUnknownOfAnAddress)
                return false;
            _tokens--;
            _unknownCount++;
            _unknown[address] = ofAddress + 1;
            return true;
        }
    }

    private void Leave(IPEndPoint? from)
    {
        lock (_lock)
        {
            var address = from?.Address ?? IPAddress.None;
            _unknownCount--;
            if (--_unknown[address] == 0)
                _unknown.Remove(address);
        }
    }

    /// <summary>A server that waits for HEL sends nothing: what can be read is its end, or no conversation.</summary>
    private static bool IsAlive(Socket socket)
    {
        try
        {
            return !socket.Poll(0, SelectMode.SelectRead);
        }
        catch (SocketException)
        {
            return false;
        }
    }

    private sealed class Waiting
    {
        public Queue<Socket> Sockets { get; } = [];

        public TaskCompletionSource Arrival { get; private set; } = NewArrival();

        public void Tell()
        {
            var arrival = Arrival;
            Arrival = NewArrival();
            arrival.SetResult();
        }

        private static TaskCompletionSource NewArrival() => new(TaskCreationOptions.RunContinuationsAsynchronously);
    }
}
