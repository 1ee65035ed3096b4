using System.Globalization;
using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Operations.Access;
using Gateway.PubSub.Options;

namespace Gateway.PubSub.DataSets;

/// <summary>Finds the Variables of a data set as the address space is now, and only what the publisher may see (R36).
/// Looks at every node below a <c>/**</c>. Threads: any.</summary>
public sealed class DataSetResolver(NodeTable nodes, NodeAccess access, PubSubLimits limits)
{
    private static readonly NodeId Root = new(StandardIds.Objects.RootFolder);

    private readonly EventResolver _events = new(nodes, access);

    private readonly Lazy<NodeHandle> _hierarchical =
        new(() => nodes.Find(new NodeId(StandardIds.ReferenceTypes.HierarchicalReferences)));

    private readonly Lazy<NodeHandle> _hasProperty =
        new(() => nodes.Find(new NodeId(StandardIds.ReferenceTypes.HasProperty)));

    /// <summary>The fields in the order of the patterns, those of one pattern in the order of their browse. A node that
    /// several patterns name is one field. A node id or path that is not there now gives a field without a node, so
    /// that the others keep their places.</summary>
    /// <param name="caller">The publisher.</param>
    /// <param name="patterns">Of the data set.</param>
    /// <param name="refused">Variables that there was no room for.</param>
    public List<PublishedField> Resolve(Caller caller, IReadOnlyList<NodePattern> patterns, out int refused)
    {
        var search = new Search(caller);
        foreach (var pattern in patterns)
        {
            var start = StartOf(caller, pattern);
            if (pattern.Depth == 0)
                AddNamed(search, pattern, start);
            else if (!start.IsNone)
                AddBelow(search, start, pattern.Depth);
        }

        refused = search.Refused;
        return search.Fields;
    }

    /// <summary>The fields of an event data set.</summary>
    /// <param name="caller">The publisher.</param>
    /// <param name="notifier">Names it.</param>
    /// <param name="options">Of events.</param>
    /// <param name="events">For the engine.</param>
    public List<PublishedField> ResolveEvents(
        Caller caller, NodePattern notifier, DataSetOptions options, out EventSelection events) =>
        _events.Resolve(caller, options, StartOf(caller, notifier), out events);

    private NodeHandle StartOf(Caller caller, NodePattern pattern)
    {
        if (pattern.Path is { } path)
            return Follow(caller, path);
        var id = pattern.Id.NodeId;
        if (pattern.Id.NamespaceUri is { } uri)
        {
            if (!nodes.Namespaces.TryGetIndex(uri, out var index))
                return default;
            id = id.WithNamespace(index);
        }

        var node = nodes.Find(id);
        return node.IsNone || !access.IsVisible(caller, node) ? default : node;
    }

    private NodeHandle Follow(Caller caller, RelativePath path)
    {
        var node = nodes.Find(Root);
        foreach (var element in path.Elements ?? [])
        {
            node = Children(caller, node).FirstOrDefault(child => nodes.GetBrowseName(child) == element.TargetName);
            if (node.IsNone)
                break;
        }

        return node;
    }

    private void AddNamed(Search search, NodePattern pattern, NodeHandle node)
    {
        var own = pattern.Options is { Name.Length: > 0 } options ? options.Name : null;
        if (node.IsNone || !IsReadable(search.Caller, node))
        {
            var text = pattern.Path?.Elements is [.., var last] ? last.TargetName.Name : null;
            Add(search, own ?? text ?? pattern.Text, default, pattern.Options);
        }
        else if (search.Known.Add(node))
        {
            Add(
                search, own ?? nodes.GetBrowseName(node).Name ?? pattern.Text, nodes.GetNodeId(node),
                pattern.Options);
        }
    }

    /// <summary>Level by level: the names of deeper ones begin with those above them. Properties are not values of the
    /// plant: a <c>/*</c> or <c>/**</c> leaves them out.</summary>
    private void AddBelow(Search search, NodeHandle start, int depth)
    {
        var open = new Queue<(NodeHandle Node, string Prefix, int Depth)>();
        var visited = new HashSet<NodeHandle> { start };
        open.Enqueue((start, "", depth));
        while (open.TryDequeue(out var at))
        {
            foreach (var child in Children(search.Caller, at.Node, withProperties: false))
            {
                if (!visited.Add(child))
                    continue;
                var name = at.Prefix + nodes.GetBrowseName(child).Name;
                if (nodes.GetNodeClass(child) == NodeClass.Variable && IsReadable(search.Caller, child) &&
                    search.Known.Add(child))
                    Add(search, name, nodes.GetNodeId(child));
                if (at.Depth > 1 && visited.Count <= limits.MaxPubSubNodesVisited)
                    open.Enqueue((child, name + ".", at.Depth - 1));
            }
        }
    }

    private void Add(Search search, string name, NodeId node, FieldOptions? options = null)
    {
        if (search.Fields.Count >= limits.MaxPubSubFields)
        {
            search.Refused++;
            return;
        }

        var unique = name;
        for (var number = 2; !search.Names.Add(unique); number++)
            unique = string.Create(CultureInfo.InvariantCulture, $"{name}_{number}");
        search.Fields.Add(new PublishedField(unique, node, options));
    }

    private bool IsReadable(Caller caller, NodeHandle node) =>
        nodes.GetNodeClass(node) == NodeClass.Variable &&
        !access.CheckRead(caller, node, AttributeId.Value).IsBad;

    private IEnumerable<NodeHandle> Children(Caller caller, NodeHandle node, bool withProperties = true)
    {
        foreach (var reference in nodes.References(node))
        {
            if (reference.IsForward && !reference.IsExternal &&
                nodes.IsSubtypeOf(reference.ReferenceType, _hierarchical.Value) &&
                (withProperties || !nodes.IsSubtypeOf(reference.ReferenceType, _hasProperty.Value)) &&
                nodes.GetNodeClass(reference.Target) is NodeClass.Object or NodeClass.Variable &&
                access.IsVisible(caller, reference.Target))
                yield return reference.Target;
        }
    }

    private sealed class Search(Caller caller)
    {
        public Caller Caller { get; } = caller;

        public List<PublishedField> Fields { get; } = [];

        public HashSet<NodeHandle> Known { get; } = [];

        public HashSet<string> Names { get; } = new(StringComparer.Ordinal);

        public int Refused { get; set; }
    }
}
