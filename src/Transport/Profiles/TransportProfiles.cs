using System.Diagnostics.CodeAnalysis;

namespace Gateway.Transport.Profiles;

/// <summary>The table of transports that the server offers and the client can use. A further transport is a further
/// row. Source: Part 6 §7.</summary>
public static class TransportProfiles
{
    public static TransportProfile UaTcp { get; } =
        new("http://opcfoundation.org/UA-Profile/Transport/uatcp-uasc-uabinary", "opc.tcp", 4840);

    public static IReadOnlyList<TransportProfile> All { get; } = [UaTcp];

    /// <summary>How their URLs begin, for people: <c>opc.tcp://</c>.</summary>
    public static string UrlForms { get; } = string.Join(" or ", All.Select(profile => profile.Scheme + "://"));

    /// <summary>By TransportProfileUri.</summary>
    public static bool IsKnown(string? uri) => All.Any(profile => profile.Uri == uri);

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
