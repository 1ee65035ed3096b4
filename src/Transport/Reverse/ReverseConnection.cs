using System.Net;
using System.Net.Sockets;

namespace Gateway.Transport.Reverse;

/// <summary>A connection that a server has opened, behind its ReverseHello. Owner of the socket: the taker.</summary>
/// <param name="Socket">HEL comes next.</param>
/// <param name="Address">Under which it is counted.</param>
public readonly record struct ReverseConnection(Socket Socket, IPAddress Address);
