using System.Collections.Concurrent;
using Gateway.Codec.Binary;
using Gateway.Codec.Pooling;
using Gateway.Codec.Structures;
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

    private readonly ServerOptions _options;
    private readonly byte[] _serverCertificate;
    private readonly ConcurrentDictionary<(string Url, bool IsTcp, bool IsHttps), byte[]> _encoded = new();

    public EndpointCatalog(ServerOptions options, byte[] serverCertificate)
    {
        _options = options;
        _serverCertificate = serverCertificate;
    }

    public bool IsOffered(SecurityPolicy policy, MessageSecurityMode mode) => _options.Security.Contains(policy, mode);

    /// <summary>The token policy with this id on endpoints of a security policy; null where they do not offer it. An
    /// empty id means the first policy of its type, as older clients send it.</summary>
    public UserTokenPolicy? FindTokenPolicy(SecurityPolicy endpointPolicy, string? policyId, UserTokenType type) =>
        Array.Find(
            TokenPolicies.For(_options, endpointPolicy),
            policy => policy.TokenType == type && (string.IsNullOrEmpty(policyId) || policy.PolicyId == policyId));

    /// <summary>The endpoints as an encoded array, length included.</summary>
    /// <param name="requestedUrl">By which the client says that it reached the server.</param>
    /// <param name="helloUrl">The same, of its HEL.</param>
    /// <param name="profileUris">Null or empty: all. Else those of these TransportProfileUris.</param>
    public byte[] Encoded(string? requestedUrl, string? helloUrl, string?[]? profileUris = null)
    {
        var isTcp = IsAsked(profileUris, TransportProfiles.IsKnown);
        var isHttps = IsAsked(profileUris, static uri => uri == TransportProfiles.HttpsJson.Uri);
        var url = _options.EndpointUrls.Count > 0 ? string.Empty : UrlFor(requestedUrl, helloUrl);
        var key = (url, isTcp, isHttps);
        if (_encoded.TryGetValue(key, out var encoded))
            return encoded;
        encoded = Encode([.. Describe(requestedUrl, helloUrl)
            .Where(endpoint => endpoint.TransportProfileUri == TransportProfiles.HttpsJson.Uri ? isHttps : isTcp)]);
        return _encoded.Count < _options.Limits.MaxCachedEndpointHosts ? _encoded.GetOrAdd(key, encoded) : encoded;
    }

    public EndpointDescription[] Describe(string? requestedUrl, string? helloUrl)
    {
        var urls = Urls(requestedUrl, helloUrl);
        var application = DescribeSelf(requestedUrl, helloUrl);
        return
        [
            .. urls.SelectMany(url => _options.Security.Policies.SelectMany(policy => _options.Security.ModesOf(policy)
                .Select(mode => Endpoint(url, policy, mode, application)))),
            .. urls.Select(HttpsUrlOf).OfType<string>().Distinct().Select(url => HttpsEndpoint(url, application)),
        ];
    }

    public ApplicationDescription DescribeSelf(string? requestedUrl, string? helloUrl) => new()
    {
        ApplicationUri = _options.ApplicationUri,
        ProductUri = _options.ProductUri,
        ApplicationName = new(_options.ApplicationName, "en"),
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
        EndpointUrls.Normalise(requestedUrl, helloUrl) ?? _options.FallbackEndpointUrl;

    private string[] Urls(string? requestedUrl, string? helloUrl) =>
        _options.EndpointUrls.Count > 0 ? [.. _options.EndpointUrls] : [UrlFor(requestedUrl, helloUrl)];

    private static bool IsAsked(string?[]? profileUris, Func<string?, bool> isOfIt) =>
        profileUris is null or { Length: 0 } || Array.Exists(profileUris, uri => isOfIt(uri));

    private string? HttpsUrlOf(string url) =>
        TransportProfiles.TryParse(url, out _, out var parsed) ? _options.Https?.UrlFor(parsed.Host) : null;

    /// <summary>TLS protects it, and proves no application: above None, below Sign. Source: Part 6 §7.4.1, §G.3.
    /// </summary>
    private EndpointDescription HttpsEndpoint(string url, ApplicationDescription application) => new()
    {
        EndpointUrl = url,
        Server = application,
        ServerCertificate = _serverCertificate,
        SecurityMode = MessageSecurityMode.None,
        SecurityPolicyUri = SecurityPolicies.None.Uri,
        UserIdentityTokens = TokenPolicies.For(_options, SecurityPolicies.None),
        TransportProfileUri = TransportProfiles.HttpsJson.Uri,
        SecurityLevel = HttpsSecurityLevel,
    };

    private static TransportProfile ProfileOf(string url) =>
        TransportProfiles.TryParse(url, out var profile, out _) ? profile : TransportProfiles.UaTcp;

    private EndpointDescription Endpoint(
        string url, SecurityPolicy policy, MessageSecurityMode mode, ApplicationDescription application) => new()
        {
            EndpointUrl = url,
            Server = application,
            ServerCertificate = _serverCertificate,
            SecurityMode = mode,
            SecurityPolicyUri = policy.Uri,
            UserIdentityTokens = TokenPolicies.For(_options, policy),
            TransportProfileUri = ProfileOf(url).Uri,
            SecurityLevel = SecurityLevelOf(policy, mode),
        };
}
