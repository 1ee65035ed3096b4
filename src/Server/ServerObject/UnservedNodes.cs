using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Sources;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.Server.ServerObject;

/// <summary>Removes standard nodes that the gateway does not serve: objects that would be empty, and optional methods
/// of objects that no source executes. Mandatory methods stay and are not executable. Types stay as the standard has
/// them. Runs at start, when every source has its nodes.</summary>
internal sealed class UnservedNodes
{
    /// <summary>Each is removed with all nodes below it, unless another model has put nodes there. Source: Part 5 §8,
    /// Part 12, Part 14, Part 17, Part 18, Part 22, Part 26.</summary>
    private static readonly uint[] Objects =
    [
        StandardIds.Objects.PublishSubscribe,
        StandardIds.Objects.ServerConfiguration,
        StandardIds.Objects.KeyCredentialConfiguration,
        StandardIds.Objects.AuthorizationServices,
        StandardIds.Objects.UserManagement,
        StandardIds.Objects.Resources,
        StandardIds.Objects.ServerLog,
        StandardIds.Objects.Aliases,
        StandardIds.Objects.DefaultHAConfiguration,
        StandardIds.Objects.DefaultHEConfiguration,
    ];

    private const int MaxTypeDepth = 64;

    private readonly NodeTable _nodes;
    private readonly NodeHandle _hierarchical;

    private UnservedNodes(NodeTable nodes)
    {
        _nodes = nodes;
        _hierarchical = nodes.Find(new NodeId(StandardIds.ReferenceTypes.HierarchicalReferences));
    }

    public static void Remove(NodeTable nodes)
    {
        var unserved = new UnservedNodes(nodes);
        var batch = new NodeBatch();
        foreach (var node in unserved.Find())
            batch.Remove(node);
        nodes.Apply(batch);
    }

    private HashSet<NodeHandle> Find()
    {
        var found = new HashSet<NodeHandle>();
        foreach (var id in Objects)
        {
            var root = _nodes.Find(new NodeId(id));
            if (!root.IsNone && Below(root) is { } whole)
                found.UnionWith(whole);
        }

        foreach (var method in MethodsOfObjects())
            found.UnionWith(Below(method) ?? []);
        return found;
    }

    /// <summary>The nodes below the root, with the root; null if a node of another model is among them. A node that
    /// other nodes reference hierarchically stays.</summary>
    private HashSet<NodeHandle>? Below(NodeHandle root)
    {
        var found = new HashSet<NodeHandle> { root };
        var open = new Queue<NodeHandle>(found);
        while (open.TryDequeue(out var node))
        {
            foreach (var child in Children(node))
            {
                if (_nodes.GetNodeId(child).NamespaceIndex != 0)
                    return null;
                if (HangsOnlyOn(found, child) && found.Add(child))
                    open.Enqueue(child);
            }
        }

        return found;
    }

    /// <summary>The standard's optional methods without a source that executes them.</summary>
    private List<NodeHandle> MethodsOfObjects()
    {
        var methods = new List<NodeHandle>();
        var seen = new HashSet<NodeHandle>();
        var open = new Queue<NodeHandle>([_nodes.Find(new NodeId(StandardIds.Objects.ObjectsFolder))]);
        while (open.TryDequeue(out var node))
        {
            foreach (var child in Children(node))
            {
                if (_nodes.GetNodeId(child).NamespaceIndex != 0 || !seen.Add(child))
                    continue;
                if (_nodes.GetNodeClass(child) == NodeClass.Object)
                    open.Enqueue(child);
                else if (IsUnservedMethod(child) && !IsMandatory(node, _nodes.GetBrowseName(child)))
                    methods.Add(child);
            }
        }

        return methods;
    }

    private bool IsUnservedMethod(NodeHandle node) =>
        _nodes.GetNodeClass(node) == NodeClass.Method && _nodes.SourceOf(node) is not IMethodSource;

    /// <summary>By the object's type or one of its supertypes.</summary>
    private bool IsMandatory(NodeHandle owner, QualifiedName name)
    {
        var mandatory = new NodeId(StandardIds.Objects.ModellingRule_Mandatory);
        var type = Targets(owner, StandardIds.ReferenceTypes.HasTypeDefinition).FirstOrDefault();
        for (var depth = 0; !type.IsNone && depth < MaxTypeDepth; depth++, type = _nodes.GetSuperType(type))
        {
            foreach (var child in Children(type))
            {
                if (_nodes.GetBrowseName(child) == name)
                    return Targets(child, StandardIds.ReferenceTypes.HasModellingRule)
                        .Any(rule => _nodes.GetNodeId(rule) == mandatory);
            }
        }

        return false;
    }

    private IEnumerable<NodeHandle> Targets(NodeHandle node, uint referenceType)
    {
        foreach (var reference in _nodes.References(node))
        {
            if (reference.IsForward && _nodes.GetNodeId(reference.ReferenceType) == new NodeId(referenceType))
                yield return reference.Target;
        }
    }

    private IEnumerable<NodeHandle> Children(NodeHandle node)
    {
        foreach (var reference in _nodes.References(node))
        {
            if (reference.IsForward && !reference.IsExternal &&
                _nodes.IsSubtypeOf(reference.ReferenceType, _hierarchical))
                yield return reference.Target;
        }
    }

    private bool HangsOnlyOn(HashSet<NodeHandle> parents, NodeHandle child)
    {
        foreach (var reference in _nodes.References(child))
        {
            if (!reference.IsForward && !reference.IsExternal && !parents.Contains(reference.Target) &&
                _nodes.IsSubtypeOf(reference.ReferenceType, _hierarchical))
                return false;
        }

        return true;
    }
}
