using System.Net;
using System.Net.Sockets;

namespace Gateway.Host.Configuration;

/// <summary>Reads the endpoint of a listener: <c>Address</c> and <c>Port</c> of a section.</summary>
internal static class EndPointReader
{
    public static readonly IPAddress AnyAddress = Socket.OSSupportsIPv6 ? IPAddress.IPv6Any : IPAddress.Any;

    public static IPEndPoint Read(
        SettingsReader settings, string section, int defaultPort, IPAddress defaultAddress)
    {
        var port = settings.Number($"{section}:Port", defaultPort, 1, 65_535);
        var text = settings.Text($"{section}:Address");
        if (text is "any" or "*")
            return new IPEndPoint(AnyAddress, port);
        if (text == "localhost")
            return new IPEndPoint(IPAddress.Loopback, port);
        IPAddress? address = null;
        if (text.Length > 0 && !IPAddress.TryParse(text, out address))
            settings.Error($"{section}:Address", $"'{text}' is no IP address; write 'any' for all addresses");
        return new IPEndPoint(address ?? defaultAddress, port);
    }
}
