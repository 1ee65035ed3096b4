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

    /// <summary>Of one name: types that declare a field of the same name each on their own are rare.</summary>
    private const int MaxDeclarations = 16;

    /// <summary>References that the last call has looked at; for the tests of its cost.</summary>
    internal long Looks { get; private set; }

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
        Looks = 0;
        var declared = DeclaredBy(declaring, clauses.Select(static one => one.Clause));
        return [.. clauses.Select(one => Describe(one.Clause, one.Name, declared))];
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

    private PublishedField Describe(
        SimpleAttributeOperand clause, string name, Dictionary<QualifiedName, List<NodeHandle>> declared)
    {
        if (clause.BrowsePath is not { } path)
            return new PublishedField(name, default) { Type = BuiltInType.NodeId };
        foreach (var first in declared.GetValueOrDefault(path[0]) ?? [])
        {
            if (Follow(first, path.AsSpan(1)) is { IsNone: false } declaration)
                return new PublishedField(name, default) { Declaration = nodes.GetNodeId(declaration) };
        }

        return new PublishedField(name, default);
    }

    /// <summary>The variables of the types by their names, in the order of the types. Each type is looked at once,
    /// however many fields there are (R44).</summary>
    private Dictionary<QualifiedName, List<NodeHandle>> DeclaredBy(
        List<NodeHandle> types, IEnumerable<SimpleAttributeOperand> clauses)
    {
        var wanted = new Dictionary<QualifiedName, List<NodeHandle>>();
        foreach (var clause in clauses)
        {
            if (clause.BrowsePath is { Length: > 0 } path)
                wanted.TryAdd(path[0], []);
        }

        foreach (var type in types)
        {
            foreach (var reference in nodes.References(type))
            {
                Looks++;
                if (IsVariable(reference) &&
                    wanted.TryGetValue(nodes.GetBrowseName(reference.Target), out var places) &&
                    places.Count < MaxDeclarations)
                    places.Add(reference.Target);
            }
        }

        return wanted;
    }

    private NodeHandle Follow(NodeHandle from, ReadOnlySpan<QualifiedName> path)
    {
        var node = from;
        foreach (var name in path)
        {
            var next = default(NodeHandle);
            foreach (var reference in nodes.References(node))
            {
                Looks++;
                if (!IsVariable(reference) || nodes.GetBrowseName(reference.Target) != name)
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

    private bool IsVariable(in Reference reference) => reference.IsForward && !reference.IsExternal &&
        nodes.GetNodeClass(reference.Target) == NodeClass.Variable;
}
