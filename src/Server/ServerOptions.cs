using Gateway.Server.Discovery;
using Gateway.Transport.Profiles;
using Gateway.Transport.Security;

namespace Gateway.Server;

/// <summary>The server's description and offer; an immutable snapshot.</summary>
public sealed record ServerOptions
{
    public required string ApplicationUri { get; init; }

    public string ProductUri { get; init; } = "urn:gateway";

    public string ApplicationName { get; init; } = "OPC UA Gateway";

    public string ManufacturerName { get; init; } = "Gateway";

    public string SoftwareVersion { get; init; } = "0.1.0";

    public string BuildNumber { get; init; } = "0";

    public DateTime BuildDate { get; init; } = new(2026, 1, 1, 0, 0, 0, DateTimeKind.Utc);

    /// <summary>The URLs that GetEndpoints advertises; empty: the host and port that the client used.</summary>
    public IReadOnlyList<string> EndpointUrls { get; init; } = [];

    /// <summary>Advertised where the client named no usable host.</summary>
    public string FallbackEndpointUrl { get; init; } =
        TransportProfiles.UaTcp.UrlOf("localhost", TransportProfiles.UaTcp.DefaultPort);

    /// <summary>The object that the listeners check each OPN against. A channel of a policy that is not in it serves
    /// FindServers and GetEndpoints only.</summary>
    public required SecurityOffer Security { get; init; }

    /// <summary>Whether the server offers the anonymous token; the user validator holds its roles.</summary>
    public bool OfferAnonymous { get; init; } = true;

    public bool OfferUserName { get; init; } = true;

    public bool OfferX509 { get; init; } = true;

    /// <summary>Subscriptions may become durable: there is a part that keeps them.</summary>
    public bool OfferDurableSubscriptions { get; init; }

    /// <summary>Null: there is no HTTPS.</summary>
    public HttpsOffer? Https { get; init; }

    /// <summary>Null: no tokens are offered. Else what clients are told of the service that issues them.</summary>
    public TokenAuthority? Tokens { get; init; }

    public ServerLimits Limits { get; init; } = ServerLimits.Default;
}
