using System.Diagnostics.CodeAnalysis;

namespace Gateway.Transport.Profiles;

/// <summary>The table of transports that the server offers and the client can use. A further transport is a further
/// row. Source: Part 6 §7.</summary>
public static class TransportProfiles
{
    public static TransportProfile UaTcp { get; } =
        new("http://opcfoundation.org/UA-Profile/Transport/uatcp-uasc-uabinary", "opc.tcp", 4840, IsOfClient: true);

    /// <summary>MessageChunks in the frames of a WebSocket, over TLS.</summary>
    public static TransportProfile SecureWebSocket { get; } =
        new("http://opcfoundation.org/UA-Profile/Transport/wss-uasc-uabinary", "opc.wss", 443, IsOfClient: true);

    /// <summary>How the OPC Foundation's stack names <see cref="SecureWebSocket"/> and <see cref="SocketJson"/>; taken,
    /// never sent.</summary>
    private const string OldSecureWebSocketUri =
        "http://opcfoundation.org/UA-Profile/Transport/uawss-uasc-uabinary";

    private const string OldSocketJsonUri = "http://opcfoundation.org/UA-Profile/Transport/uawss-uajson";

    /// <summary>The same without TLS: between the gateway and a proxy that ends it. The standard has no other name for
    /// it.</summary>
    public static TransportProfile WebSocket { get; } =
        SecureWebSocket with { Scheme = "opc.ws", DefaultPort = 80 };

    public static IReadOnlyList<TransportProfile> All { get; } = [UaTcp, SecureWebSocket, WebSocket];

    /// <summary>Of services as JSON, each at a path of its own. It is no row of the table: discovery offers it where
    /// there is HTTPS, and no SecureChannel comes by it. Source: Part 6 §G.3, Part 7 profile 2338.</summary>
    public static TransportProfile HttpsJson { get; } =
        new("http://opcfoundation.org/UA-Profile/Transport/https-uajson-openapi", "https", 443, IsOfClient: false);

    /// <summary>The same in the frames of a WebSocket, sub-protocol <c>opcua+openapi</c>. Source: Part 6 §7.5.2, Part 7
    /// profile 2339.</summary>
    public static TransportProfile SocketOpenApi { get; } = SecureWebSocket with
    {
        Uri = "http://opcfoundation.org/UA-Profile/Transport/wss-uajson-openapi",
        IsOfClient = false,
    };

    /// <summary>Messages as JSON, sub-protocol <c>opcua+uajson</c>. Source: Part 6 §7.5.2.</summary>
    public static TransportProfile SocketJson { get; } = SocketOpenApi with
    {
        Uri = "http://opcfoundation.org/UA-Profile/Transport/wss-uajson",
    };

    /// <summary>Those without a SecureChannel: TLS alone protects them.</summary>
    public static IReadOnlyList<TransportProfile> Json { get; } = [HttpsJson, SocketOpenApi, SocketJson];

    /// <summary>The same without TLS.</summary>
    public static TransportProfile HttpJson { get; } = HttpsJson with { Scheme = "http", DefaultPort = 80 };

    /// <summary>The beginnings of their URLs, as text: <c>opc.tcp://</c>.</summary>
    public static string UrlForms { get; } = FormsOf(All);

    /// <summary>Of those that the client can use.</summary>
    public static string ClientUrlForms { get; } = FormsOf(All.Where(profile => profile.IsOfClient));

    /// <summary>By TransportProfileUri.</summary>
    public static bool IsKnown(string? uri) => All.Any(profile => profile.Uri == Canonical(uri));

    /// <summary>By TransportProfileUri: the client can connect by it.</summary>
    public static bool IsOfClient(string? uri) =>
        All.Any(profile => profile.IsOfClient && profile.Uri == Canonical(uri));

    /// <summary>The name of the standard, where peers have another for the same transport.</summary>
    public static string? Canonical(string? uri) => uri switch
    {
        OldSecureWebSocketUri => SecureWebSocket.Uri,
        OldSocketJsonUri => SocketJson.Uri,
        _ => uri,
    };

    /// <summary>A URL of one of the table's schemes, in any case, that names a host.</summary>
    public static bool TryParse(
        string? url, [NotNullWhen(true)] out TransportProfile? profile, [NotNullWhen(true)] out Uri? parsed)
    {
        profile = Uri.TryCreate(url, UriKind.Absolute, out parsed) && parsed.Host.Length > 0
            ? OfScheme(parsed.Scheme)
            : null;
        return profile is not null;
    }

    /// <summary>Looks at the scheme alone and ignores the rest of the URL.</summary>
    public static bool HasKnownScheme(string url)
    {
        var end = url.IndexOf("://", StringComparison.Ordinal);
        return end > 0 && OfScheme(url.AsSpan(0, end)) is not null;
    }

    private static string FormsOf(IEnumerable<TransportProfile> profiles) =>
        string.Join(" or ", profiles.Select(profile => profile.Scheme + "://"));

    private static TransportProfile? OfScheme(ReadOnlySpan<char> scheme)
    {
        foreach (var profile in All)
        {
            if (scheme.Equals(profile.Scheme, StringComparison.OrdinalIgnoreCase))
                return profile;
        }

        return null;
    }
}
