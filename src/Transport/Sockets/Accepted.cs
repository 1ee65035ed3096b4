using System.Net;

namespace Gateway.Transport.Sockets;

/// <param name="Descriptor">Below 0: the error, negated.</param>
/// <param name="Address">Of the peer.</param>
/// <param name="Port">Of the peer.</param>
internal readonly record struct Accepted(int Descriptor, IPAddress Address, int Port);
