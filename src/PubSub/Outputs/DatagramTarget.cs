using System.Net;
using System.Net.Sockets;
using Gateway.PubSub.Options;

namespace Gateway.PubSub.Outputs;

/// <summary>The address of datagrams. A name is looked up again and again: a name server may start later than the
/// gateway, and an address may change. Until there is one, nothing can be sent. Owner: the output. Threads: any.
/// </summary>
/// <param name="to">A name's address may change.</param>
internal sealed class DatagramTarget(DatagramAddress to) : IDisposable
{
    private readonly IPAddress? _fixed = IPAddress.TryParse(to.Host, out var address) ? address : null;
    private volatile Way? _way;
    private volatile string? _error;

    /// <summary>An address that is known to be one of IPv4 has room for a few bytes more.</summary>
    public bool IsIpv4 => _fixed?.AddressFamily == AddressFamily.InterNetwork;

    /// <summary>For people; null: there is an address.</summary>
    public string? Error => _way is null ? _error ?? $"{to.Text} is not looked up yet" : null;

    /// <summary>A lookup that fails leaves the address as it is.</summary>
    public async Task LookAsync()
    {
        try
        {
            Use(_fixed ?? (await Dns.GetHostAddressesAsync(to.Host).ConfigureAwait(false)).FirstOrDefault() ??
                throw new SocketException((int)SocketError.HostNotFound));
        }
        catch (SocketException error)
        {
            _error = $"{to.Text} cannot be looked up or used: {error.SocketErrorCode}";
        }
    }

    /// <exception cref="SocketException">The system does not take it.</exception>
    /// <returns>False: there is no address.</returns>
    public bool TrySend(ReadOnlySpan<byte> message)
    {
        if (_way is not { } way)
            return false;
        way.Socket.SendTo(message, SocketFlags.None, way.Address);
        return true;
    }

    public void Dispose() => _way?.Socket.Dispose();

    private void Use(IPAddress found)
    {
        if (_way is { } way && way.Found.Equals(found))
            return;
        var socket = new Socket(found.AddressFamily, SocketType.Dgram, ProtocolType.Udp) { Blocking = false };
        try
        {
            if (DatagramAddress.IsMulticast(found))
                to.SendByInterface(socket);
        }
        catch (SocketException)
        {
            socket.Dispose();
            throw;
        }

        // The one before ends with its last sender.
        _way = new Way(found, socket, new IPEndPoint(found, to.Port).Serialize());
    }

    private sealed record Way(IPAddress Found, Socket Socket, SocketAddress Address);
}
