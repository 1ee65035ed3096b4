using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Text;
using Gateway.Codec.Types;

namespace Gateway.Sources.Upstream;

/// <summary>A configured root: <c>ns=</c> counts by the upstream's own NamespaceArray, <c>nsu=</c> names its URI.
///</summary>
internal static class UpstreamRoot
{
    public static bool TryParse(
        string text, string upstream, NamespaceTable table, NamespaceMap map, out NodeId root)
    {
        root = default;
        if (!text.StartsWith("nsu=", StringComparison.Ordinal) && !text.Contains('#', StringComparison.Ordinal))
            return NodeIdText.TryParse(text, out root) && map.TryToLocal(root, out _);

        // By the gateway's table: a URI that was renamed for this upstream is there under its new name.
        var uris = Array.ConvertAll(table.Uris, uri => Original(uri, upstream));
        for (var i = 0; i < uris.Length; i++)
        {
            if (!map.TryToUpstream((ushort)i, out _))
                uris[i] = string.Empty;
        }

        return NodeIdText.TryParse(text, uris, out NodeId local) && map.TryToUpstream(local, out root);
    }

    private static string Original(string uri, string upstream)
    {
        var prefix = $"urn:gateway:{upstream}:";
        return uri.StartsWith(prefix, StringComparison.Ordinal) ? uri[prefix.Length..] : uri;
    }
}
