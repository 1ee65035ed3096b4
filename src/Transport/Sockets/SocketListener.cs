using System.Net;
using System.Net.Sockets;
using Microsoft.AspNetCore.Connections;

namespace Gateway.Transport.Sockets;

/// <summary>Accepts connections and spreads them over the event loops. Owner: Kestrel.</summary>
internal sealed class SocketListener : IConnectionListener
{
    private const int Backlog = 4096;

    /// <summary>When the process has no descriptor left, the next try comes a little later.</summary>
    private static readonly TimeSpan Breath = TimeSpan.FromMilliseconds(20);

    private readonly Socket _socket;
    private readonly EventLoop[] _loops;
    private readonly TimeProvider _time;
    private uint _next;
    private volatile bool _isUnbound;

    /// <summary>Errors: AddressInUseException, SocketException.</summary>
    public SocketListener(IPEndPoint endPoint, EventLoop[] loops, TimeProvider time)
    {
        _loops = loops;
        _time = time;
        _socket = new Socket(endPoint.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
        try
        {
            if (endPoint.Address.Equals(IPAddress.IPv6Any))
                _socket.DualMode = true;
            _socket.Bind(new IPEndPoint(endPoint.Address, endPoint.Port));
            _socket.Listen(Backlog);
        }
        catch (SocketException error)
        {
            _socket.Dispose();
            if (error.SocketErrorCode == SocketError.AddressAlreadyInUse)
                throw new AddressInUseException(error.Message, error);
            throw;
        }

        EndPoint = _socket.LocalEndPoint!;
    }

    public EndPoint EndPoint { get; }

    /// <summary>Null when it is unbound.</summary>
    public async ValueTask<ConnectionContext?> AcceptAsync(CancellationToken cancellationToken = default)
    {
        while (true)
        {
            Socket? accepted = null;
            try
            {
                accepted = await _socket.AcceptAsync(cancellationToken).ConfigureAwait(false);
                accepted.NoDelay = true;
                accepted.Blocking = false;
                var loop = _loops[_next++ % (uint)_loops.Length];
                var link = new SocketLink(accepted, loop);
                loop.Add(link);
                return link;
            }
            catch (ObjectDisposedException)
            {
                accepted?.Dispose();
                return null;
            }
            catch (Exception error) when (error is SocketException or System.ComponentModel.Win32Exception)
            {
                accepted?.Dispose();
                if (_isUnbound)
                    return null;
                if (accepted is null)
                    await Task.Delay(Breath, _time, cancellationToken).ConfigureAwait(false);
            }
        }
    }

    public ValueTask UnbindAsync(CancellationToken cancellationToken = default)
    {
        _isUnbound = true;
        _socket.Dispose();
        return default;
    }

    public ValueTask DisposeAsync() => UnbindAsync();
}
