using System.Net;

namespace Gateway.Transport.Sockets;

/// <summary>Marks an endpoint as ours among Kestrel's.</summary>
internal sealed class UaTcpEndPoint(IPEndPoint endPoint) : IPEndPoint(endPoint.Address, endPoint.Port);
