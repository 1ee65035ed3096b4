using System.Net;
using Gateway.Host.Tls;

namespace Gateway.Host.Configuration;

/// <summary>The section <c>Http</c>.</summary>
internal sealed record HttpOptions
{
    /// <summary>Of the services by the standard's mapping to HTTP.</summary>
    public const string ServicesPath = "/opcua";

    public required IPEndPoint EndPoint { get; init; }

    /// <summary>Null: plain HTTP.</summary>
    public TlsOptions? Tls { get; init; }

    /// <summary>Whether passwords and tokens of other machines are taken over plain HTTP.</summary>
    public bool AllowInsecureLogin { get; init; }

    /// <summary>Of pages that may use the gateway, as browsers send them: <c>https://hmi.plant.example</c>.</summary>
    public IReadOnlyList<string> CorsOrigins { get; init; } = [];

    public string Scheme => Tls is null ? "http" : "https";
}
