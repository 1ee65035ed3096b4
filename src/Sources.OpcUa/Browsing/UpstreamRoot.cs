using Gateway.Codec.Types;
using Gateway.Sources.OpcUa.Namespaces;

namespace Gateway.Sources.OpcUa.Browsing;

/// <summary>A configured root: <c>ns=</c> counts by the upstream's own NamespaceArray, <c>nsu=</c> names its URI, or
/// what that became here.</summary>
internal static class UpstreamRoot
{
    public static bool TryParse(string text, string upstream, NamespaceMap map, out NodeId root)
    {
        root = default;
        if (!text.StartsWith("nsu=", StringComparison.Ordinal) && !text.Contains('#', StringComparison.Ordinal))
            return NodeIdText.TryParse(text, out root) && map.CanMap(root.NamespaceIndex);
        var uris = map.Uris;
        return (NodeIdText.TryParse(text, uris, out root) ||
            NodeIdText.TryParse(text, Array.ConvertAll(uris, uri => $"urn:gateway:{upstream}:{uri}"), out root)) &&
            map.CanMap(root.NamespaceIndex);
    }
}
