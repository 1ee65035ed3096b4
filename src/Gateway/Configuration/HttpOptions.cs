using System.Net;

namespace Gateway.Host.Configuration;

/// <summary>What <c>Http:*</c> configures.</summary>
internal sealed record HttpOptions
{
    public required IPEndPoint EndPoint { get; init; }
}
