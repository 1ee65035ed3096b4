using Gateway.Codec.Structures;
using Gateway.Loadtest.Peers.Hostile;
using Gateway.Transport.Security;

namespace Gateway.Client.Tests.Sessions;

/// <summary>Offers endpoints of the test's choice, in discovery and in the session.</summary>
internal sealed class ImpostorScript : HostileScript
{
    /// <summary>Policy, mode, and the policy of the user-name token, which is empty for the endpoint's.</summary>
    public required (SecurityPolicy Policy, MessageSecurityMode Mode, string TokenPolicy)[] Discovered { get; init; }

    /// <summary>Null: the same.</summary>
    public (SecurityPolicy Policy, MessageSecurityMode Mode, string TokenPolicy)[]? Confirmed { get; init; }

    /// <summary>What the session calls the server; null: what its certificate says.</summary>
    public string? ConfirmedUri { get; init; }

    /// <summary>The server's name in the discovery; null: that of its certificate.</summary>
    public string? DiscoveredUri { get; init; }

    public override EndpointDescription[] Discover(string url, byte[] certificate) => Make(
        DiscoveredUri is null ? this : new HostileScript { ApplicationUri = DiscoveredUri },
        url, certificate, Discovered);

    public override EndpointDescription[] Confirm(string url, byte[] certificate) =>
        Make(
            ConfirmedUri is null ? this : new HostileScript { ApplicationUri = ConfirmedUri },
            url, certificate, Confirmed ?? Discovered);

    private static EndpointDescription[] Make(
        HostileScript script,
        string url,
        byte[] certificate,
        (SecurityPolicy Policy, MessageSecurityMode Mode, string TokenPolicy)[] offers) =>
        Array.ConvertAll(offers, offer => script.Endpoint(
            url, certificate, offer.Policy, offer.Mode,
            Token(UserTokenType.Anonymous, ""), Token(UserTokenType.UserName, offer.TokenPolicy),
            Token(UserTokenType.Certificate, offer.TokenPolicy)));
}
