using System.Net;
using System.Net.Sockets;

namespace Gateway.PubSub.Options;

/// <summary>Addresses of datagrams.</summary>
internal static class DatagramAddress
{
    public static bool IsMulticast(IPAddress address) => address.IsIPv6Multicast ||
        (address.AddressFamily == AddressFamily.InterNetwork && address.GetAddressBytes()[0] is >= 224 and < 240);
}
