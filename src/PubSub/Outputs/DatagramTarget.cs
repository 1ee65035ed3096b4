using System.Net;
using System.Net.Sockets;

namespace Gateway.PubSub.Outputs;

/// <summary>The address of datagrams. A name is looked up again and again: a name server may start later than the
/// gateway, and an address may change. Until there is one, nothing can be sent. Owner: the output. Threads: any.
/// </summary>
/// <param name="host">A name or an address.</param>
/// <param name="port">Its port.</param>
internal sealed class DatagramTarget(string host, int port) : IDisposable
{
    private readonly IPAddress? _fixed = IPAddress.TryParse(host, out var address) ? address : null;
    private volatile Way? _way;
    private volatile string? _error;

    /// <summary>An address that is known to be one of IPv4 has room for a few bytes more.</summary>
    public bool IsIpv4 => _fixed?.AddressFamily == AddressFamily.InterNetwork;

    /// <summary>For people; null: there is an address.</summary>
    public string? Error => _way is null ? _error ?? $"{host} is not looked up yet" : null;

    /// <summary>A lookup that fails leaves the address as it is.</summary>
    public async Task LookAsync()
    {
        try
        {
            Use(_fixed ?? (await Dns.GetHostAddressesAsync(host).ConfigureAwait(false)).FirstOrDefault() ??
                throw new SocketException((int)SocketError.HostNotFound));
        }
        catch (SocketException error)
        {
            _error = $"{host} cannot be looked up or used: {error.SocketErrorCode}";
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
        // The one before ends with its last sender.
        _way = new Way(found, socket, new IPEndPoint(found, port).Serialize());
    }

    private sealed record Way(IPAddress Found, Socket Socket, SocketAddress Address);
}
