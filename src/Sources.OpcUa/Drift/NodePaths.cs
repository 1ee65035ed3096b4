using System.Globalization;
using Gateway.Codec.Types;
using Gateway.Sources.OpcUa.Browsing;

namespace Gateway.Sources.OpcUa.Drift;

/// <summary>The browse paths of the nodes of one browse: as digests that are the same in each run, and as text. Owner:
/// one comparison.</summary>
internal sealed class NodePaths(BrowsedSpace space, string[] uris)
{
    private const int LongestText = 160;

    private readonly Dictionary<NodeId, ulong> _known = [];
    private readonly Stack<BrowsedNode> _open = [];

    public ulong Of(BrowsedNode node)
    {
        var (at, digest) = (node, 0UL);
        while (!_known.TryGetValue(at.Id, out digest))
        {
            _open.Push(at);
            // A parent was found before its child: this ends.
            if (at.Parent.IsNull || !space.Nodes.TryGetValue(at.Parent, out var parent))
            {
                digest = TextDigest.Seed;
                break;
            }

            at = parent;
        }

        while (_open.TryPop(out var below))
            _known[below.Id] = digest = Below(digest, below.BrowseName);
        return digest;
    }

    public string DigestOf(BrowsedNode node) => Of(node).ToString("x16", CultureInfo.InvariantCulture);

    /// <summary>For people.</summary>
    public string TextOf(BrowsedNode node)
    {
        var text = node.BrowseName.Name ?? "";
        var at = node;
        while (text.Length < LongestText && space.Nodes.TryGetValue(at.Parent, out var parent))
        {
            text = $"{parent.BrowseName.Name}/{text}";
            at = parent;
        }

        return text;
    }

    private ulong Below(ulong parent, QualifiedName name) => TextDigest.Add(
        TextDigest.Add(parent, name.NamespaceIndex < uris.Length ? uris[name.NamespaceIndex] : ""), name.Name);
}
