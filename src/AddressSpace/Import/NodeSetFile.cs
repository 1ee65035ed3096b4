using Gateway.AddressSpace.Nodes;

namespace Gateway.AddressSpace.Import;

/// <summary>The content of a NodeSet2 file, with NodeIds in the server's namespace indices and values still as XML.
/// </summary>
internal sealed class NodeSetFile(string path, NodeSetNames names)
{
    public string Path { get; } = path;

    public NodeSetNames Names { get; } = names;

    public List<NodeSetModelInfo> Models { get; } = [];

    /// <summary>By namespace of a model: the defaults of its nodes.</summary>
    public Dictionary<ushort, AccessRule> Rules { get; } = [];

    public List<NodeSetNode> Nodes { get; } = [];

    public List<NodeSetReference> References { get; } = [];
}
