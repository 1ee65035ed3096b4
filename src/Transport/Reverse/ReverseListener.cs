using System.Collections.Concurrent;
using System.Net;
using System.Net.Sockets;
using Gateway.Codec.Binary;
using Gateway.Codec.Pooling;
using Gateway.Codec.Types;
using Gateway.Transport.Conversation;

namespace Gateway.Transport.Reverse;

/// <summary>
/// Waits for servers that cannot be connected to: each opens a connection and says who it is (ReverseHello, Part 6
/// §7.1.2.6); the client then says HEL on it as usual. Nothing of what it says is believed: it only chooses the
/// configured server whose certificate the channel asks for. Bounded before its ReverseHello
/// (<see cref="ReverseDoor"/>) and after it (<see cref="ReverseRoom"/>); a connection costs no more than its socket
/// until somebody takes it. Threads: any.
/// </summary>
public sealed class ReverseListener : IAsyncDisposable
{
    /// <summary>From the connection to the end of its ReverseHello.</summary>
    public static readonly TimeSpan HelloDeadline = TimeSpan.FromSeconds(5);

    /// <summary>After one that could not be accepted: without a descriptor the next try fails as well.</summary>
    private static readonly TimeSpan AcceptPause = TimeSpan.FromMilliseconds(100);

    private static readonly TimeSpan SweepInterval = TimeSpan.FromSeconds(5);

    private readonly Socket _socket;
    private readonly Func<string, string, string?> _match;
    private readonly TimeProvider _time;
    private readonly Action<ReverseOutcome, IPEndPoint?, string, string>? _onOutcome;
    private readonly CancellationTokenSource _stop = new();
    private readonly ReverseDoor _door;
    private readonly ReverseRoom _room;
    private readonly ConcurrentDictionary<Task, bool> _running = [];
    private int _disposed;
    private Task _loops = Task.CompletedTask;

    /// <param name="address">To listen at. Errors: <see cref="SocketException"/>.</param>
    /// <param name="match">The key of the configured server by ServerUri and EndpointUrl; null: nobody's.</param>
    /// <param name="time">Of deadline, age and rate.</param>
    /// <param name="onOutcome">Told of each connection, with its address, ServerUri and EndpointUrl as they came, and
    /// once more of one that has waited in vain; must not throw.</param>
    public ReverseListener(
        IPEndPoint address, Func<string, string, string?> match, TimeProvider time,
        Action<ReverseOutcome, IPEndPoint?, string, string>? onOutcome = null)
    {
        (_match, _time, _onOutcome) = (match, time, onOutcome);
        _door = new ReverseDoor(time);
        _room = new ReverseRoom(time, (guest, outcome) => _onOutcome?.Invoke(outcome, guest.From, "", ""));
        _socket = new Socket(address.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
        try
        {
            if (address.Address.Equals(IPAddress.IPv6Any))
                _socket.DualMode = true;
            _socket.Bind(address);
            _socket.Listen(ReverseDoor.MaxUnknown);
        }
        catch
        {
            _socket.Dispose();
            throw;
        }
    }

    public IPEndPoint LocalEndPoint => (IPEndPoint)_socket.LocalEndPoint!;

    /// <summary>Descriptors that it uses at most.</summary>
    /// <param name="servers">That are configured.</param>
    public static int MaxDescriptors(int servers) => 1 + ReverseDoor.MaxUnknown + (servers * ReverseRoom.MaxWaiting);

    public void Start() => _loops = Task.WhenAll(AcceptAsync(), SweepAsync());

    /// <summary>Those servers are waited for from now on; connections of others are closed.</summary>
    public void Configure(IEnumerable<string> keys) => _room.Configure(keys);

    /// <summary>The next connection of that server.</summary>
    /// <param name="key">Configured.</param>
    /// <param name="from">Of that address only, because it has been talked to; null: the one that has its turn.</param>
    /// <param name="cancellation">Ends the waiting.</param>
    public ValueTask<ReverseConnection> TakeAsync(string key, IPAddress? from, CancellationToken cancellation) =>
        _room.TakeAsync(key, from, cancellation);

    /// <summary>The server at that address has shown the certificate that was asked for: its next connection comes
    /// first.</summary>
    public void Prove(string key, IPAddress address) => _room.Prove(key, address);

    public async ValueTask DisposeAsync()
    {
        if (Interlocked.Exchange(ref _disposed, 1) != 0)
            return;
        await _stop.CancelAsync().ConfigureAwait(false);
        _socket.Dispose();
        await _loops.ConfigureAwait(false);
        await Task.WhenAll(_running.Keys).ConfigureAwait(false);
        _room.Close();
        _stop.Dispose();
    }

    private async Task SweepAsync()
    {
        try
        {
            while (true)
            {
                await Task.Delay(SweepInterval, _time, _stop.Token).ConfigureAwait(false);
                _room.Sweep();
            }
        }
        catch (OperationCanceledException)
        {
            // The end.
        }
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

            Admit(new ReverseGuest(accepted));
        }
    }

    private void Admit(ReverseGuest guest)
    {
        if (!_door.TryEnter(guest, out var evicted))
        {
            End(guest, ReverseOutcome.Crowded);
            return;
        }

        if (evicted is not null)
            End(evicted, ReverseOutcome.Crowded);
        var reading = ReadAsync(guest);
        _running.TryAdd(reading, true);
        _ = reading.ContinueWith(
            done => _running.TryRemove(done, out _), CancellationToken.None,
            TaskContinuationOptions.ExecuteSynchronously, TaskScheduler.Default);
    }

    private void End(ReverseGuest guest, ReverseOutcome outcome, ReverseHelloMessage hello = default)
    {
        guest.Socket.Dispose();
        _onOutcome?.Invoke(outcome, guest.From, hello.ServerUri ?? "", hello.EndpointUrl ?? "");
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

    private async Task ReadAsync(ReverseGuest guest)
    {
        await Task.Yield();
        var (outcome, hello) = (ReverseOutcome.Malformed, default(ReverseHelloMessage));
        try
        {
            using var deadline = new CancellationTokenSource(HelloDeadline, _time);
            using var both = CancellationTokenSource.CreateLinkedTokenSource(deadline.Token, _stop.Token);
            guest.Socket.NoDelay = true;
            if (await ReadHelloAsync(guest.Socket, both.Token).ConfigureAwait(false) is { } read)
                (outcome, hello) = (read.IsTooLong ? ReverseOutcome.Malformed : ReverseOutcome.Accepted, read);
        }
        catch (OperationCanceledException)
        {
            outcome = ReverseOutcome.TimedOut;
        }
#pragma warning disable CA1031 // Any fault is of this connection alone.
        catch (Exception)
#pragma warning restore CA1031
        {
            // It has gone, had to make room, or there is no memory for it.
        }
        finally
        {
            _door.Leave(guest);
        }

        if (guest.TryEnd())
            Place(guest, outcome, hello);
    }

    private void Place(ReverseGuest guest, ReverseOutcome outcome, ReverseHelloMessage hello)
    {
        if (outcome == ReverseOutcome.Accepted)
        {
            if (_match(hello.ServerUri ?? "", hello.EndpointUrl!) is { } key && _room.TryPlace(key, guest))
            {
                _onOutcome?.Invoke(outcome, guest.From, hello.ServerUri ?? "", hello.EndpointUrl!);
                return;
            }

            outcome = ReverseOutcome.Unknown;
        }

        if (outcome == ReverseOutcome.Unknown || hello.IsTooLong)
            Refuse(guest.Socket);
        End(guest, outcome, hello.IsTooLong ? default : hello);
    }

    /// <summary>The one error that the standard has for it. Source: Part 6 §7.1.2.6.</summary>
    private static void Refuse(Socket socket)
    {
        using var buffer = new PooledBuffer();
        var error = new ErrorMessage(StatusCodes.BadTcpEndpointUrlInvalid, "no server with these names is expected");
        // Its queue is empty: this takes no time.
        socket.Send(error.Frame(buffer), SocketFlags.None, out _);
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
            frame.SizeBytes < MessageLayout.MessageHeaderSize)
            return null;
        if (frame.SizeBytes > ReverseHelloMessage.MaxSizeBytes)
            return ReverseHelloMessage.TooLong;
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
}
