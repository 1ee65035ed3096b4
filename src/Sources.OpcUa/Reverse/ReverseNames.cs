namespace Gateway.Sources.OpcUa.Reverse;

/// <summary>By which words of a ReverseHello an upstream is found. Source: Part 6 §7.1.2.6.</summary>
public static class ReverseNames
{
    /// <summary>Hosts have no case, and a last slash means nothing.</summary>
    internal static IEqualityComparer<string> UrlComparer { get; } = EqualityComparer<string>.Create(
        static (one, other) => string.Equals(Plain(one), Plain(other), StringComparison.OrdinalIgnoreCase),
        static one => StringComparer.OrdinalIgnoreCase.GetHashCode(Plain(one)));

    /// <summary>The ServerUri that the server at that address has to say; empty: any. Each server has a URI of its own,
    /// so the upstream's is that of its first one.</summary>
    internal static string ServerUriOf(UpstreamOptions upstream, string url) =>
        url == upstream.EndpointUrl ? upstream.ServerUri : "";

    /// <summary>Upstreams that cannot be told apart, each with the key of its section.</summary>
    /// <param name="upstreams">Each with its section (<c>Upstreams:0</c>).</param>
    public static IEnumerable<string> Validate(IReadOnlyList<(string Section, UpstreamOptions Options)> upstreams)
    {
        for (var i = 1; i < upstreams.Count; i++)
        {
            var (section, options) = upstreams[i];
            foreach (var (earlier, other) in upstreams.Take(i))
            {
                if (AreMixedUp(options, other))
                    yield return $"{section}:EndpointUrl: a server that connects with this EndpointUrl may be that of "
                        + $"{earlier}, too: give each an EndpointUrl or a ServerUri of its own";
            }
        }
    }

    private static bool AreMixedUp(UpstreamOptions one, UpstreamOptions other) =>
        one.ReverseConnect && other.ReverseConnect && one.Urls.Any(url => other.Urls.Any(theirs =>
            UrlComparer.Equals(url, theirs) && !Differ(ServerUriOf(one, url), ServerUriOf(other, theirs))));

    private static bool Differ(string one, string other) => one.Length > 0 && other.Length > 0 && one != other;

    private static string Plain(string? url) => url?.TrimEnd('/') ?? "";
}
