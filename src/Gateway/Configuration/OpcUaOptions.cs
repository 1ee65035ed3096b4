using System.Net;
using Gateway.Transport.Security;

namespace Gateway.Host.Configuration;

/// <summary>The section <c>OpcUa</c>.</summary>
internal sealed record OpcUaOptions
{
    /// <summary><c>OpcUa:Address</c>, <c>OpcUa:Port</c>.</summary>
    public required IPEndPoint EndPoint { get; init; }

    /// <summary>The URLs that GetEndpoints advertises; empty: the host that the client used.</summary>
    public required string[] EndpointUrls { get; init; }

    /// <summary><c>OpcUa:SecurityPolicies</c>.</summary>
    public required SecurityOffer Security { get; init; }

    /// <summary>For the certificate that the gateway makes on its first start.</summary>
    public required string ApplicationUri { get; init; }

    /// <summary>True if the operator configured <see cref="ApplicationUri"/>; false if it is the default.</summary>
    public required bool IsApplicationUriGiven { get; init; }

    public required string ApplicationName { get; init; }

    /// <summary>Further host names in that certificate.</summary>
    public required string[] HostNames { get; init; }
}
