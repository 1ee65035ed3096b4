using System.Net;
using System.Net.Sockets;
using System.Runtime.CompilerServices;
using Gateway.Admission.Door;
using Gateway.Admission.Stages;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Server.Kestrel.Transport.Sockets;
using ListenException = Gateway.Transport.Hosting.ListenException;
using TransportContext = Gateway.Transport.Hosting.TransportContext;

namespace Gateway.Transport.Http;

/// <summary>
/// A listening socket that accepts no more than HTTP's share of the descriptors (R41): a connection takes one before
/// it is accepted and gives it back when its descriptor is closed. The rest stays in the kernel's backlog, where it
/// costs none. Admission decides on each; one that is refused is answered and closed here. Owner: Kestrel, whose one
/// accept loop calls it.
/// </summary>
internal sealed class HttpSocketListener : IConnectionListener
{
    /// <summary>Wanted; the kernel gives no more than net.core.somaxconn. Deep, so that it takes in a new connection in
    /// any burst: refusing those ahead of it takes microseconds each.</summary>
    private const int Backlog = 16 * 1024;

    private const int AcceptsAtOnce = 256;

    /// <summary>An answer takes longer than all else of a refusal: in a flood the rest is reset without one.</summary>
    private const int MaxAnswersPerSecond = 500;

    private static readonly TimeSpan Breath = TimeSpan.FromMilliseconds(10);

    private readonly Socket _socket;
    private readonly SocketConnectionContextFactory _connections;
    private readonly TransportContext _context;
    private readonly SemaphoreSlim _free;
    private uint _accepted;
    private long _answersSince;
    private int _answers;
    private volatile bool _isUnbound;

    /// <summary>Errors: <see cref="ListenException"/>.</summary>
    /// <param name="endPoint">Port 0: a free one.</param>
    /// <param name="connections">Owned from here on.</param>
    /// <param name="context">Limits, admission, descriptors.</param>
    public HttpSocketListener(IPEndPoint endPoint, SocketConnectionContextFactory connections, TransportContext context)
    {
        (_connections, _context) = (connections, context);
        _socket = new Socket(endPoint.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
        try
        {
            if (endPoint.Address.Equals(IPAddress.IPv6Any))
                _socket.DualMode = true;
            _socket.NoDelay = true;
            _socket.Bind(new IPEndPoint(endPoint.Address, endPoint.Port));
            _socket.Listen(Backlog);
        }
        catch (SocketException error)
        {
            _socket.Dispose();
            connections.Dispose();
            throw new ListenException(endPoint, error);
        }

        EndPoint = _socket.LocalEndPoint!;
        context.FitToDescriptors();
        _free = new SemaphoreSlim(context.Descriptors.HttpShare);
    }

    public EndPoint EndPoint { get; }

    /// <summary>Null when it is unbound. Never fails: Kestrel would accept nothing any more (R40). So its state comes
    /// from a pool: there may be no memory for one.</summary>
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    public async ValueTask<ConnectionContext?> AcceptAsync(CancellationToken cancellationToken = default)
    {
        while (!_isUnbound)
        {
            await _free.WaitAsync(cancellationToken).ConfigureAwait(false);
            var socket = await AcceptSocketAsync(cancellationToken).ConfigureAwait(false);
            if (socket is null)
            {
                _free.Release();
                continue;
            }

            // Where many wait, accepting never does: the sockets' own thread, which got us here, has others to serve.
            // Not each time, because a crowd fills the kernel's backlog as fast, and a newcomer waits a second then.
            if (++_accepted % AcceptsAtOnce == 0)
                await Task.Yield();
            if (TryLetIn(socket) is { } link)
                return link;
        }

        return null;
    }

    /// <summary>Admitted connections are still served.</summary>
    public ValueTask UnbindAsync(CancellationToken cancellationToken = default)
    {
        _isUnbound = true;
        _socket.Dispose();
        return default;
    }

    public async ValueTask DisposeAsync()
    {
        await UnbindAsync().ConfigureAwait(false);
        _connections.Dispose();
    }

    /// <summary>A connection's descriptor is closed.</summary>
    public void Closed()
    {
        _context.Descriptors.HttpClosed();
        _free.Release();
    }

    /// <summary>Null: try again, unless it is unbound.</summary>
    private async ValueTask<Socket?> AcceptSocketAsync(CancellationToken cancellationToken)
    {
        try
        {
            var socket = await _socket.AcceptAsync(cancellationToken).ConfigureAwait(false);
            _context.Descriptors.HttpOpened();
            return socket;
        }
        catch (ObjectDisposedException)
        {
            return null;
        }
        catch (OutOfMemoryException error)
        {
            _context.Counters.FaultContained(error);
            await Task.Yield();
            return null;
        }
        catch (SocketException error)
        {
            if (_isUnbound || error.SocketErrorCode is not (
                SocketError.TooManyOpenSockets or SocketError.NoBufferSpaceAvailable))
                return null;
            // The process is at its end though we are not: without the pause this would spin.
            _context.Admission.Stages.Shed(AdmissionStage.HttpConnection, RefusalReason.NoDescriptor);
            await Task.Delay(Breath, _context.Time, cancellationToken).ConfigureAwait(false);
            return null;
        }
    }

    /// <summary>Null: refused, or gone already.</summary>
    private HttpLink? TryLetIn(Socket socket)
    {
        try
        {
            var address = ((IPEndPoint)socket.RemoteEndPoint!).Address;
            HttpLink? link = null;
            var place = new HttpPlace(address, () => Volatile.Read(ref link)?.End());
            var decision = _context.Admission.Http.Arrive(place);
            if (decision.IsAdmitted)
            {
                socket.NoDelay = true;
                Volatile.Write(ref link, new HttpLink(_connections.Create(socket), place, this, _context));
                return link;
            }

            if (MayAnswer())
                HttpRefusal.Answer(socket, decision);
            else
                socket.LingerState = new LingerOption(enable: true, seconds: 0);
        }
        catch (SocketException)
        {
            // It hung up meanwhile.
        }
#pragma warning disable CA1031 // No memory, or a fault of ours: of this connection alone.
        catch (Exception error)
#pragma warning restore CA1031
        {
            _context.Counters.FaultContained(error);
        }

        socket.Dispose();
        Closed();
        return null;
    }

    private bool MayAnswer()
    {
        var now = _context.Time.GetTimestamp();
        if (_context.Time.GetElapsedTime(_answersSince, now) >= TimeSpan.FromSeconds(1))
            (_answersSince, _answers) = (now, 0);
        return ++_answers <= MaxAnswersPerSecond;
    }
}
