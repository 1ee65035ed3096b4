using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Events.Plain;
using Gateway.Operations.Access;
using Gateway.PubSub.Options;

namespace Gateway.PubSub.DataSets;

/// <summary>Finds the notifier, the types and the descriptions of the fields of an event data set as the address space
/// is now, and only what the publisher may see (R36). Threads: any.</summary>
internal sealed class EventResolver(NodeTable nodes, NodeAccess access)
{
    private const int MaxSuperTypes = 64;

    /// <summary>The fields are always there: those that no type declares have no description.</summary>
    /// <param name="caller">The publisher.</param>
    /// <param name="options">Without errors, of events.</param>
    /// <param name="notifier">As the pattern names it; none: it is not there.</param>
    /// <param name="selection">For the engine.</param>
    public List<PublishedField> Resolve(
        Caller caller, DataSetOptions options, NodeHandle notifier, out EventSelection selection)
    {
        var types = TypesOf(caller, options.EventTypes);
        var clauses = new List<(SimpleAttributeOperand Clause, string Name)>();
        foreach (var field in options.EventFieldsOrUsual)
        {
            if (PlainFields.TryParse(field, out var clause, out _))
                clauses.Add((clause, field));
        }

        var isThere = !notifier.IsNone && access.CheckEvents(caller, notifier).IsGood &&
            (types.Length > 0 || options.EventTypes.Count == 0);
        selection = new EventSelection(
            isThere ? nodes.GetNodeId(notifier) : default, types,
            PlainFilter.Of(clauses.Select(static one => one.Clause), types, options.EventMinSeverity));
        // The types and those above them first: a field is what they say, before what a subtype says.
        var own = types.Select(nodes.Find).ToList();
        var declaring = types.Length > 0
            ? [.. own.SelectMany(Above), .. PlainTypes.Below(nodes, own)]
            : PlainTypes.All(nodes);
        return [.. clauses.Select(one => Describe(one.Clause, one.Name, declaring))];
    }

    /// <summary>Those that are there now.</summary>
    private NodeId[] TypesOf(Caller caller, IReadOnlyList<string> texts)
    {
        if (texts.Count == 0)
            return [];
        var names = PlainTypes.ByName(nodes, type => access.IsVisible(caller, type));
        var types = new List<NodeId>();
        foreach (var text in texts)
        {
            if (!names.TryGetValue(text, out var type) && NodePattern.Parse(text) is { Path: null } pattern)
                type = IdOf(pattern);
            if (!type.IsNull && PlainTypes.IsOne(nodes, type) && access.IsVisible(caller, nodes.Find(type)))
                types.Add(type);
        }

        return [.. types];
    }

    private NodeId IdOf(NodePattern pattern)
    {
        if (pattern.Id.NamespaceUri is not { } uri)
            return pattern.Id.NodeId;
        return nodes.Namespaces.TryGetIndex(uri, out var index) ? pattern.Id.NodeId.WithNamespace(index) : default;
    }

    /// <summary>The type and those that it has its fields from.</summary>
    private IEnumerable<NodeHandle> Above(NodeHandle type)
    {
        for (var depth = 0; !type.IsNone && depth < MaxSuperTypes; depth++, type = nodes.GetSuperType(type))
            yield return type;
    }

    private PublishedField Describe(SimpleAttributeOperand clause, string name, List<NodeHandle> types)
    {
        if (clause.BrowsePath is not { } path)
            return new PublishedField(name, default) { Type = BuiltInType.NodeId };
        foreach (var type in types)
        {
            if (Follow(type, path) is { IsNone: false } declaration)
                return new PublishedField(name, default) { Declaration = nodes.GetNodeId(declaration) };
        }

        return new PublishedField(name, default);
    }

    private NodeHandle Follow(NodeHandle type, QualifiedName[] path)
    {
        var node = type;
        foreach (var name in path)
        {
            var next = default(NodeHandle);
            foreach (var reference in nodes.References(node))
            {
                if (!reference.IsForward || reference.IsExternal ||
                    nodes.GetNodeClass(reference.Target) != NodeClass.Variable ||
                    nodes.GetBrowseName(reference.Target) != name)
                    continue;
                next = reference.Target;
                break;
            }

            node = next;
            if (node.IsNone)
                break;
        }

        return node;
    }
}
