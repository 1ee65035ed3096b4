using System.Net;
using System.Net.Sockets;
using Gateway.Transport.Hosting;

namespace Gateway.Host.Hosting;

/// <summary>Why a listener could not start, in one line that begins with the key to change.</summary>
internal static class StartProblem
{
    public static string Of(ListenException error, IPEndPoint uaTcp)
    {
        var isUaTcp = error.EndPoint.Port == uaTcp.Port;
        var section = isUaTcp ? "OpcUa" : "Http";
        var door = isUaTcp ? "UA-TCP" : "HTTP";
        var where = Where(error.EndPoint);
        return error.Error switch
        {
            SocketError.AddressAlreadyInUse =>
                $"{section}:Port: '{error.EndPoint.Port}' is in use: another program listens there{where}. Stop it, or "
                + $"choose another port for {door}",
            SocketError.AddressNotAvailable =>
                $"{section}:Address: '{error.EndPoint.Address}' is no address of this machine: write one of its own, "
                + "or any for all of them",
            SocketError.AccessDenied =>
                $"{section}:Port: '{error.EndPoint.Port}' may not be used by this user{where}: choose one from 1024 on",
            SocketError.AddressFamilyNotSupported =>
                $"{section}:Address: '{error.EndPoint.Address}' is of a kind that this machine does not have",
            _ => $"{section}:Address: cannot listen on '{error.EndPoint}': {error.Message}",
        };
    }

    private static string Where(IPEndPoint endPoint) =>
        endPoint.Address.Equals(IPAddress.Any) || endPoint.Address.Equals(IPAddress.IPv6Any)
            ? ""
            : $" on {endPoint.Address}";
}
