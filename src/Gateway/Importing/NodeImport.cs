using Gateway.Codec.Types;

namespace Gateway.Host.Importing;

/// <summary>Makes node ids of the gateway of those of the file.</summary>
/// <param name="namespaces">The URIs that the user gave for indexes.</param>
/// <param name="notes">Gets what could not be taken.</param>
internal sealed class NodeImport(IReadOnlyDictionary<ushort, string> namespaces, ImportNotes notes)
{
    private static readonly string[] Wildcards = ["/**", "/*"];

    private readonly Dictionary<string, ImportedUpstream> _owners = new(StringComparer.Ordinal);

    /// <summary>Null: it cannot be told which node is meant.</summary>
    public string? IdOf(ImportedUpstream upstream, string text)
    {
        var wildcard = Array.Find(Wildcards, one => text.EndsWith(one, StringComparison.Ordinal)) ?? string.Empty;
        var id = text[..(text.Length - wildcard.Length)];
        // As the publisher wrote it in its first versions: http://uri#s=x.
        var sharp = id.LastIndexOf('#');
        if (id.StartsWith("http", StringComparison.OrdinalIgnoreCase) && sharp > 0)
            id = $"nsu={id[..sharp]};{id[(sharp + 1)..]}";
        if (id.Length == 0 || !NodeIdText.TryParse(id, out ExpandedNodeId node) || node.ServerIndex != 0)
        {
            notes.Lost($"'{text}' of {upstream.Name}: it is no node id");
            return null;
        }

        if (node.NamespaceUri is { } uri)
            return Of(upstream, uri, node.NodeId, wildcard);
        if (node.NodeId.NamespaceIndex == 0)
        {
            notes.Lost(
                $"'{text}' of {upstream.Name}: a node of the standard, which the gateway has for itself");
            return null;
        }

        if (namespaces.TryGetValue(node.NodeId.NamespaceIndex, out var given))
            return Of(upstream, given, node.NodeId, wildcard);
        notes.Lost(
            $"ns={node.NodeId.NamespaceIndex} of {upstream.Name}: the index is the server's own; say what it means: "
            + $"--ns {node.NodeId.NamespaceIndex}=<namespace URI>");
        return null;
    }

    /// <summary>An upstream that is not the first one with a URI has its nodes in another one (docs/upstreams.md).
    /// </summary>
    private string Of(ImportedUpstream upstream, string uri, NodeId node, string wildcard)
    {
        if (!_owners.TryAdd(uri, upstream) && _owners[uri] != upstream)
        {
            notes.Decided(
                $"{upstream.Name} and {_owners[uri].Name} both have {uri}: the gateway serves those of "
                + $"{upstream.Name} under urn:gateway:{upstream.Name}:{uri}. Look whether it is so at the first start");
            uri = $"urn:gateway:{upstream.Name}:{uri}";
        }

        return $"nsu={uri};{NodeIdText.Format(node.WithNamespace(0))}{wildcard}";
    }
}
