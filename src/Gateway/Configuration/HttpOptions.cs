using System.Net;

namespace Gateway.Host.Configuration;

/// <summary>The section <c>Http</c>.</summary>
internal sealed record HttpOptions
{
    public required IPEndPoint EndPoint { get; init; }
}
