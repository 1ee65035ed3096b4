using System.Net;
using System.Net.NetworkInformation;
using System.Net.Sockets;

namespace Gateway.PubSub.Options;

/// <summary>Where datagrams go to, or come from. Source: Part 14 §6.2.7.5.2.</summary>
/// <param name="Host">A name or an address: of a multicast group, or of one machine.</param>
/// <param name="Port">Its port.</param>
/// <param name="Interface">Of a multicast group: the network interface of this machine, by its name or an address that
/// it has; empty: the system's routes choose one.</param>
internal sealed record DatagramAddress(string Host, int Port, string Interface = "")
{
    /// <summary>Of an address without one.</summary>
    public const int DefaultPort = 4840;

    /// <summary>For people.</summary>
    public string Text => Interface.Length == 0 ? Host : $"{Host} at {Interface}";

    /// <param name="url">One of the connection's.</param>
    /// <param name="connection">Has it.</param>
    public static DatagramAddress Of(Uri url, ConnectionOptions connection) => new(
        url.DnsSafeHost, url.Port < 0 ? DefaultPort : url.Port, connection.NetworkInterface);

    public static bool IsMulticast(IPAddress address) => address.IsIPv6Multicast ||
        (address.AddressFamily == AddressFamily.InterNetwork && address.GetAddressBytes()[0] is >= 224 and < 240);

    /// <summary>A socket that sends to the group does so by the interface.</summary>
    /// <exception cref="SocketException">This machine has no such interface now.</exception>
    public void SendByInterface(Socket socket)
    {
        if (FindInterface(socket.AddressFamily) is not { } index)
            return;
        var isIpv4 = socket.AddressFamily == AddressFamily.InterNetwork;
        socket.SetSocketOption(
            isIpv4 ? SocketOptionLevel.IP : SocketOptionLevel.IPv6, SocketOptionName.MulticastInterface,
            isIpv4 ? IPAddress.HostToNetworkOrder(index) : index);
    }

    /// <exception cref="SocketException">This machine has no such interface now, or none for groups.</exception>
    public void Join(Socket socket, IPAddress group)
    {
        var index = FindInterface(group.AddressFamily);
        if (group.AddressFamily == AddressFamily.InterNetwork)
            socket.SetSocketOption(
                SocketOptionLevel.IP, SocketOptionName.AddMembership,
                index is { } ipv4 ? new MulticastOption(group, ipv4) : new MulticastOption(group));
        else
            socket.SetSocketOption(
                SocketOptionLevel.IPv6, SocketOptionName.AddMembership,
                index is { } ipv6 ? new IPv6MulticastOption(group, ipv6) : new IPv6MulticastOption(group));
    }

    private int? FindInterface(AddressFamily family)
    {
        if (Interface.Length == 0)
            return null;
        var own = IPAddress.TryParse(Interface, out var address) ? address : null;
        try
        {
            foreach (var one in NetworkInterface.GetAllNetworkInterfaces())
            {
                var properties = one.GetIPProperties();
                if (one.Name == Interface || properties.UnicastAddresses.Any(has => has.Address.Equals(own)))
                    return family == AddressFamily.InterNetwork
                        ? properties.GetIPv4Properties().Index
                        : properties.GetIPv6Properties().Index;
            }
        }
        catch (NetworkInformationException)
        {
            // It has no addresses of the family, or has gone just now.
        }

        throw new SocketException((int)SocketError.AddressNotAvailable);
    }
}
