using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Structures;
using Gateway.Codec.Text;
using Gateway.Codec.Types;
using Gateway.Operations.Access;

namespace Gateway.Operations.Browsing;

/// <summary>Where nodes lie below the Root folder, as a caller sees it. A node with several parents lies below the
/// first that the caller may see. Thread-safe.</summary>
public sealed class NodePaths(NodeTable nodes, NodeAccess access)
{
    /// <summary>Deeper than any plant; ends a circle of references.</summary>
    public const int MaxDepth = 64;

    /// <summary>References of one node that are looked through for its parent; it stands among the first.</summary>
    private const int MaxReferences = 10_000;

    private static readonly NodeId Root = new(StandardIds.Objects.RootFolder);

    private readonly Lazy<NodeHandle> _hierarchical =
        new(() => nodes.Find(new NodeId(StandardIds.ReferenceTypes.HierarchicalReferences)));

    /// <summary>None for the Root folder, and if the caller can see no parent.</summary>
    public NodeHandle ParentOf(Caller caller, NodeHandle node)
    {
        var superType = nodes.GetSuperType(node);
        if (!superType.IsNone)
            return access.IsVisible(caller, superType) ? superType : default;
        var references = nodes.References(node);
        var count = Math.Min(references.Count, MaxReferences);
        for (var i = 0; i < count; i++)
        {
            var reference = references[i];
            if (!reference.IsForward && !reference.IsExternal &&
                nodes.IsSubtypeOf(reference.ReferenceType, _hierarchical.Value) &&
                nodes.GetNodeClass(reference.Target) != NodeClass.Unspecified &&
                access.IsVisible(caller, reference.Target))
                return reference.Target;
        }

        return default;
    }

    /// <summary>In the form of a RelativePath from the Root folder, <c>/Objects/2:Plant/2:Line1</c>; null if no path is
    /// visible to the caller. Source: Part 4 Annex A.2.</summary>
    public string? PathOf(Caller caller, NodeHandle node)
    {
        var elements = new List<RelativePathElement>();
        var root = nodes.Find(Root);
        for (var at = node; at != root; at = ParentOf(caller, at))
        {
            if (at.IsNone || elements.Count == MaxDepth)
                return null;
            elements.Add(new RelativePathElement
            {
                ReferenceTypeId = new NodeId(StandardIds.ReferenceTypes.HierarchicalReferences),
                IncludeSubtypes = true,
                TargetName = nodes.GetBrowseName(at),
            });
        }

        elements.Reverse();
        var path = new RelativePath { Elements = [.. elements] };
        return elements.Count == 0 ? "/" : RelativePathText.Format(path, static _ => default);
    }
}
