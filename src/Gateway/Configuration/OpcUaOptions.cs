using System.Net;
using Gateway.Transport.Security;

namespace Gateway.Host.Configuration;

/// <summary>What <c>OpcUa:*</c> configures.</summary>
internal sealed record OpcUaOptions
{
    /// <summary><c>OpcUa:Address</c>, <c>OpcUa:Port</c>.</summary>
    public required IPEndPoint EndPoint { get; init; }

    /// <summary>What GetEndpoints advertises; empty: the host that the client used.</summary>
    public required string[] EndpointUrls { get; init; }

    /// <summary><c>OpcUa:SecurityPolicies</c>.</summary>
    public required SecurityOffer Security { get; init; }

    /// <summary>For the certificate that is made on the first start.</summary>
    public required string ApplicationUri { get; init; }

    /// <summary>The operator has written it.</summary>
    public required bool IsApplicationUriGiven { get; init; }

    public required string ApplicationName { get; init; }

    /// <summary>Further names in that certificate.</summary>
    public required string[] HostNames { get; init; }
}
