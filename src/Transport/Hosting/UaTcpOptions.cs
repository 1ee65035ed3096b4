using System.Net;
using Gateway.Transport.Security;

namespace Gateway.Transport.Hosting;

/// <summary>The settings <c>OpcUa:*</c> of the listener.</summary>
public sealed record UaTcpOptions
{
    public required IPEndPoint EndPoint { get; init; }

    public required SecurityOffer Security { get; init; }

    /// <summary>Connections that the gateway itself opens, for which file descriptors are kept.</summary>
    public required int OutgoingConnections { get; init; }

    /// <summary>Kept for servers that connect to the gateway; 0: none do.</summary>
    public required int ReverseDescriptors { get; init; }
}
