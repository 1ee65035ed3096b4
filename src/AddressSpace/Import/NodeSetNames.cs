using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Types;

namespace Gateway.AddressSpace.Import;

/// <summary>Maps a file's namespace indices and aliases to the server's. Index 0 is the standard's in both.</summary>
internal sealed class NodeSetNames
{
    private readonly List<ushort> _namespaces = [0];
    private readonly Dictionary<string, NodeId> _aliases = new(StringComparer.Ordinal);

    public void AddNamespace(NamespaceTable table, string uri) => _namespaces.Add(table.GetOrAdd(uri));

    public void AddAlias(string alias, NodeId node) => _aliases[alias] = node;

    /// <summary>A NodeId or an alias.</summary>
    public bool TryParseNodeId(string? text, out NodeId node)
    {
        node = default;
        if (text is null)
            return false;
        text = text.Trim();
        return _aliases.TryGetValue(text, out node) || (NodeIdText.TryParse(text, out node) && TryMap(node, out node));
    }

    public bool TryParseQualifiedName(string? text, out QualifiedName name)
    {
        name = default;
        if (text is null)
            return false;
        var colon = text.IndexOf(':', StringComparison.Ordinal);
        if (colon <= 0 || !ushort.TryParse(text.AsSpan(0, colon), out var index))
        {
            name = new QualifiedName(text);
            return true;
        }

        var known = index < _namespaces.Count;
        name = new QualifiedName(text[(colon + 1)..], known ? _namespaces[index] : (ushort)0);
        return known;
    }

    public bool TryMap(ushort fileIndex, out ushort serverIndex)
    {
        var known = fileIndex < _namespaces.Count;
        serverIndex = known ? _namespaces[fileIndex] : (ushort)0;
        return known;
    }

    private bool TryMap(NodeId inFile, out NodeId node)
    {
        var known = TryMap(inFile.NamespaceIndex, out var index);
        node = known ? inFile.WithNamespace(index) : default;
        return known;
    }
}
