using System.Collections.Concurrent;
using Gateway.Codec.Binary;
using Gateway.Codec.Pooling;
using Gateway.Codec.Structures;
using Gateway.Transport.Certificates;
using Gateway.Transport.Profiles;
using Gateway.Transport.Security;

namespace Gateway.Server.Discovery;

/// <summary>
/// The endpoints on offer and the server's own description. Endpoints are encoded once for each host name that clients
/// use, at most <see cref="ServerLimits.MaxCachedEndpointHosts"/>, because the peer chooses the name. GetEndpoints and
/// CreateSession return the same bytes. Thread-safe. Source: Part 4 §5.5.4, §7.14.
/// </summary>
internal sealed class EndpointCatalog
{
    private const byte HttpsSecurityLevel = 5;

    /// <summary>The names of all transports; those of WebSockets with and without TLS have one.</summary>
    private static readonly string[] Profiles =
    [
        TransportProfiles.UaTcp.Uri, TransportProfiles.SecureWebSocket.Uri,
        .. TransportProfiles.Json.Select(static profile => profile.Uri),
    ];

    private readonly int _uaTcpPort;
    private readonly Lock _following = new();
    private volatile Offer _offer;

    /// <summary>The endpoints on offer, and their encoded forms: swapped together.</summary>
    private sealed record Offer(ServerOptions Options, ApplicationCertificate Certificate)
    {
        public ConcurrentDictionary<(string Url, int Profiles), byte[]> Encoded { get; } = new();
    }

    public EndpointCatalog(ServerOptions options, ApplicationCertificate certificate)
    {
        _offer = new Offer(options, certificate);
        _uaTcpPort = TransportProfiles.TryParse(options.FallbackEndpointUrl, out var profile, out var url)
            ? profile.PortOf(url)
            : TransportProfiles.UaTcp.DefaultPort;
    }

    private ServerOptions Options => _offer.Options;

    /// <summary>The kinds of users that may log in from now on.</summary>
    public void Follow(bool offerAnonymous, bool offerUserName)
    {
        lock (_following)
            _offer = new Offer(
                Options with { OfferAnonymous = offerAnonymous, OfferUserName = offerUserName }, _offer.Certificate);
    }

    /// <summary>The certificate of new channels from now on.</summary>
    public void Follow(ApplicationCertificate certificate)
    {
        lock (_following)
            _offer = new Offer(Options, certificate);
    }

    public bool IsOffered(SecurityPolicy policy, MessageSecurityMode mode) => Options.Security.Contains(policy, mode);

    /// <summary>The token policy with this id on endpoints of a security policy; null where they do not offer it. An
    /// empty id means the first policy of its type, as older clients send it.</summary>
    public UserTokenPolicy? FindTokenPolicy(SecurityPolicy endpointPolicy, string? policyId, UserTokenType type) =>
        Array.Find(
            TokenPolicies.For(Options, endpointPolicy),
            policy => policy.TokenType == type && (string.IsNullOrEmpty(policyId) || policy.PolicyId == policyId));

    /// <summary>The endpoints as an encoded array, length included.</summary>
    /// <param name="requestedUrl">By which the client says that it reached the server.</param>
    /// <param name="helloUrl">The same, of its HEL.</param>
    /// <param name="profileUris">Null or empty: all. Else those of these TransportProfileUris.</param>
    /// <param name="shown">The certificate that the client knows from its channel: it compares. Null: that of now.
    /// </param>
    public byte[] Encoded(
        string? requestedUrl, string? helloUrl, string?[]? profileUris = null, ApplicationCertificate? shown = null)
    {
        var offer = _offer;
        if (shown is not null && !ReferenceEquals(shown, offer.Certificate))
            return Encode(Describe(offer with { Certificate = shown }, requestedUrl, helloUrl));
        var profiles = ProfilesOf(profileUris);
        var url = Options.EndpointUrls.Count > 0 ? string.Empty : UrlFor(requestedUrl, helloUrl);
        var key = (url, profiles);
        var cache = offer.Encoded;
        if (cache.TryGetValue(key, out var encoded))
            return encoded;
        encoded = Encode([.. Describe(offer, requestedUrl, helloUrl)
            .Where(endpoint => (profiles & BitOf(endpoint.TransportProfileUri)) != 0)]);
        return cache.Count < Options.Limits.MaxCachedEndpointHosts ? cache.GetOrAdd(key, encoded) : encoded;
    }

    public EndpointDescription[] Describe(string? requestedUrl, string? helloUrl) =>
        Describe(_offer, requestedUrl, helloUrl);

    private EndpointDescription[] Describe(Offer offer, string? requestedUrl, string? helloUrl)
    {
        var certificate = offer.Certificate.ChainBlob;
        var named = Urls(requestedUrl, helloUrl);
        var application = DescribeSelf(requestedUrl, helloUrl);
        // A client of any transport is told of all. Source: Part 6 §7.5.1.
        string[] urls = [.. named, .. named.Select(SocketUrlOf).OfType<string>().Except(named).Distinct()];
        return
        [
            .. urls.SelectMany(url => Options.Security.Policies.SelectMany(policy => Options.Security.ModesOf(policy)
                .Select(mode => Endpoint(url, policy, mode, application, certificate)))),
            .. TransportProfiles.Json.SelectMany(profile => named.Select(url => JsonUrlOf(profile, url))
                .OfType<string>().Distinct().Select(url => JsonEndpoint(profile, url, application, certificate))),
        ];
    }

    public ApplicationDescription DescribeSelf(string? requestedUrl, string? helloUrl) => new()
    {
        ApplicationUri = Options.ApplicationUri,
        ProductUri = Options.ProductUri,
        ApplicationName = new(Options.ApplicationName, "en"),
        ApplicationType = ApplicationType.Server,
        DiscoveryUrls = Urls(requestedUrl, helloUrl),
    };

    private static byte[] Encode(EndpointDescription[] endpoints)
    {
        using var buffer = new PooledBuffer();
        var writer = new UaBinaryWriter(buffer);
        writer.WriteStructureArray(endpoints);
        writer.Complete();
        return buffer.WrittenSpan.ToArray();
    }

    /// <summary>Relative only: 0 for None, Sign below SignAndEncrypt, then the stronger policy.</summary>
    private static byte SecurityLevelOf(SecurityPolicy policy, MessageSecurityMode mode) => policy.IsNone
        ? (byte)0
        : (byte)((mode == MessageSecurityMode.SignAndEncrypt ? 100 : 10) + policy.Strength);

    private string UrlFor(string? requestedUrl, string? helloUrl) =>
        EndpointUrls.Normalise(requestedUrl, helloUrl, _uaTcpPort) ?? Options.FallbackEndpointUrl;

    private string[] Urls(string? requestedUrl, string? helloUrl) =>
        Options.EndpointUrls.Count > 0 ? [.. Options.EndpointUrls] : [UrlFor(requestedUrl, helloUrl)];

    /// <summary>A bit for each transport that is asked for, so that a peer's list makes no key of its own.</summary>
    private static int ProfilesOf(string?[]? profileUris) => profileUris is null or { Length: 0 }
        ? -1
        : profileUris.Aggregate(0, static (all, uri) => all | BitOf(uri));

    /// <summary>0: it is not known.</summary>
    private static int BitOf(string? profileUri) =>
        Array.IndexOf(Profiles, TransportProfiles.Canonical(profileUri)) is >= 0 and var place ? 1 << place : 0;

    private string? SocketUrlOf(string url) =>
        TransportProfiles.TryParse(url, out _, out var parsed) ? Options.Https?.SocketUrlFor(parsed.Host) : null;

    private string? JsonUrlOf(TransportProfile profile, string url) =>
        TransportProfiles.TryParse(url, out _, out var parsed) ? Options.Https?.UrlFor(profile, parsed.Host) : null;

    /// <summary>TLS protects it, and proves no application: over HTTPS above None, below Sign. HTTP asks for a user of
    /// its own, so nobody is anonymous there. Many clients choose by scheme, mode and level and do not look at the
    /// transport: over opc.wss none of these is to be above the binary one. Source: Part 6 §7.4.1, §7.5.2,
    /// §G.3.</summary>
    private EndpointDescription JsonEndpoint(
        TransportProfile profile, string url, ApplicationDescription application, byte[] certificate) => new()
        {
            EndpointUrl = url,
            Server = application,
            ServerCertificate = certificate,
            SecurityMode = MessageSecurityMode.None,
            SecurityPolicyUri = SecurityPolicies.None.Uri,
            UserIdentityTokens =
        [
            .. TokenPolicies.For(Options, SecurityPolicies.None)
                .Where(static policy => policy.TokenType != UserTokenType.Anonymous),
        ],
            TransportProfileUri = profile.Uri,
            SecurityLevel = profile == TransportProfiles.HttpsJson ? HttpsSecurityLevel : (byte)0,
        };

    private static TransportProfile ProfileOf(string url) =>
        TransportProfiles.TryParse(url, out var profile, out _) ? profile : TransportProfiles.UaTcp;

    private EndpointDescription Endpoint(
        string url, SecurityPolicy policy, MessageSecurityMode mode, ApplicationDescription application,
        byte[] certificate) => new()
        {
            EndpointUrl = url,
            Server = application,
            ServerCertificate = certificate,
            SecurityMode = mode,
            SecurityPolicyUri = policy.Uri,
            UserIdentityTokens = TokenPolicies.For(Options, policy),
            TransportProfileUri = ProfileOf(url).Uri,
            SecurityLevel = SecurityLevelOf(policy, mode),
        };
}
