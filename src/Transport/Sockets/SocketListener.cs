using System.ComponentModel;
using System.Diagnostics.CodeAnalysis;
using System.Net;
using System.Net.Sockets;
using System.Runtime.CompilerServices;
using System.Threading.Channels;
using Microsoft.AspNetCore.Connections;
using ListenException = Gateway.Transport.Hosting.ListenException;
using TransportContext = Gateway.Transport.Hosting.TransportContext;

namespace Gateway.Transport.Sockets;

/// <summary>A listening socket with its door; admitted connections go to the event loops in turn. Owner:
/// Kestrel.</summary>
internal sealed class SocketListener : IConnectionListener
{
    /// <summary>Wanted; the kernel gives no more than net.core.somaxconn (4,096 unless it was raised).</summary>
    private const int Backlog = 16 * 1024;

    private readonly Socket _socket;
    private readonly EventLoop[] _loops;
    private readonly TransportContext _context;
    private readonly DoorLoop _door;
    private readonly Channel<DoorConnection> _letIn;
    private uint _next;
    private int _isUnbound;

    /// <summary>Errors: <see cref="ListenException"/>.</summary>
    /// <param name="endPoint">Port 0: a free one.</param>
    /// <param name="loops">The event loops that serve admitted connections.</param>
    /// <param name="context">Limits, admission, descriptors.</param>
    /// <param name="acceptor">Makes the one of the listening descriptor.</param>
    public SocketListener(
        IPEndPoint endPoint, EventLoop[] loops, TransportContext context, Func<int, IAcceptor> acceptor)
    {
        (_loops, _context) = (loops, context);
        _socket = new Socket(endPoint.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
        try
        {
            if (endPoint.Address.Equals(IPAddress.IPv6Any))
                _socket.DualMode = true;
            // On Linux an accepted socket has it from its listener.
            _socket.NoDelay = true;
            _socket.Blocking = false;
            _socket.Bind(new IPEndPoint(endPoint.Address, endPoint.Port));
            _socket.Listen(Backlog);
        }
        catch (SocketException error)
        {
            _socket.Dispose();
            throw new ListenException(endPoint, error);
        }

        EndPoint = _socket.LocalEndPoint!;
        context.FitToDescriptors();
        // As many as may be connected: the loop stops accepting long before.
        _letIn = Channel.CreateBounded<DoorConnection>(new BoundedChannelOptions(context.Registry.Limit)
        {
            SingleReader = true,
            AllowSynchronousContinuations = false,
        });
        var listener = (int)_socket.SafeHandle.DangerousGetHandle();
        _door = new DoorLoop(
            listener, acceptor(listener), _letIn, context);
        _door.Start();
    }

    public EndPoint EndPoint { get; }

    /// <summary>Null when it is unbound. Never fails: Kestrel would accept nothing any more (R40). So its state comes
    /// from a pool: there may be no memory for one.</summary>
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    public async ValueTask<ConnectionContext?> AcceptAsync(CancellationToken cancellationToken = default)
    {
        while (await _letIn.Reader.WaitToReadAsync(cancellationToken).ConfigureAwait(false))
        {
            while (_letIn.Reader.TryRead(out var connection))
            {
                if (TryLink(connection, out var link))
                    return link;
            }
        }

        return null;
    }

    /// <summary>Admitted connections are still served; waiting ones get an error.</summary>
    public ValueTask UnbindAsync(CancellationToken cancellationToken = default)
    {
        if (Interlocked.Exchange(ref _isUnbound, 1) != 0)
            return default;
        _door.Dispose();
        _letIn.Writer.TryComplete();
        _socket.Dispose();
        return default;
    }

    public async ValueTask DisposeAsync()
    {
        await UnbindAsync().ConfigureAwait(false);
        while (_letIn.Reader.TryRead(out var connection))
        {
            connection.Pass?.Dispose();
            _door.Close(connection);
        }
    }

    private bool TryLink(DoorConnection connection, [NotNullWhen(true)] out SocketLink? link)
    {
        link = null;
        try
        {
            var loop = _loops[_next++ % (uint)_loops.Length];
            link = new SocketLink(connection, loop, _context.Descriptors, _context.Counters);
            loop.Add(link);
            return true;
        }
        catch (Win32Exception)
        {
            // It has gone.
        }
#pragma warning disable CA1031 // No memory, or a fault of ours: of this connection alone.
        catch (Exception error)
#pragma warning restore CA1031
        {
            _context.Counters.FaultContained(error);
        }

        connection.Pass?.Dispose();
        _door.Close(connection);
        return false;
    }
}
