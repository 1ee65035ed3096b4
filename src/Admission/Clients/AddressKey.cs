using System.Net;
using System.Net.Sockets;

namespace Gateway.Admission.Clients;

/// <summary>
/// The address under which a peer is accounted, wherever something is counted by address. An IPv4 address stands for
/// itself. An IPv4-mapped one is that IPv4 address: a dual-stack socket and one of IPv4 name the same peer. An IPv6
/// address is its /64, because a host chooses the lower half freely.
/// </summary>
public static class AddressKey
{
    private const int Ipv6HostBytes = 8;
    private const int Ipv6SiteBytes = 6;
    private const int Ipv4NetworkBytes = 3;

    /// <param name="address">Null: a peer without one; all such share <see cref="IPAddress.None"/>.</param>
    public static IPAddress Of(IPAddress? address)
    {
        if (address is null)
            return IPAddress.None;
        if (address.AddressFamily != AddressFamily.InterNetworkV6)
            return address;
        if (address.IsIPv4MappedToIPv6)
            return address.MapToIPv4();
        return IPAddress.IsLoopback(address) ? address : Cut(address, Ipv6HostBytes);
    }

    /// <summary>The same of an <see cref="IPEndPoint"/>; of any other end point <see cref="IPAddress.None"/>.</summary>
    public static IPAddress Of(EndPoint? endPoint) => Of((endPoint as IPEndPoint)?.Address);

    /// <summary>The network around it, for a second, coarser rate limit: the /24 of an IPv4 address, the /48 of an IPv6
    /// one.</summary>
    public static IPAddress NetworkOf(IPAddress? address)
    {
        var key = Of(address);
        return key.AddressFamily == AddressFamily.InterNetworkV6 ? Cut(key, Ipv6SiteBytes) : Cut(key, Ipv4NetworkBytes);
    }

    /// <summary>Only the first bytes count; a scope is none of the peer's choosing and is left out.</summary>
    private static IPAddress Cut(IPAddress address, int bytes)
    {
        Span<byte> raw = stackalloc byte[16];
        address.TryWriteBytes(raw, out var length);
        raw[bytes..length].Clear();
        return new IPAddress(raw[..length]);
    }
}
