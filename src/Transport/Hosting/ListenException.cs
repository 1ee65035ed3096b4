using System.Net;
using System.Net.Sockets;

namespace Gateway.Transport.Hosting;

/// <summary>A listener could not be bound. The host says which setting is wrong.</summary>
public sealed class ListenException(IPEndPoint endPoint, SocketException error) : Exception(error.Message, error)
{
    public IPEndPoint EndPoint => endPoint;

    public SocketError Error { get; } = error.SocketErrorCode;
}
