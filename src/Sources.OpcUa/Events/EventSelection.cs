using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Events.Conditions;
using Gateway.Events.Model;
using Gateway.Events.Plain;
using Gateway.Sources.OpcUa.Namespaces;

namespace Gateway.Sources.OpcUa.Events;

/// <summary>The fields that are asked of an upstream for each event: those of the standard's types, and those that the
/// upstream's own types of events declare. A server's own type need not be a node here to have the first ones.
/// Immutable. Source: Part 4 §7.7.4.5, §7.22.3.</summary>
internal sealed record EventSelection(EventField[] Fields, SimpleAttributeOperand[] Clauses)
{
    private const int MaxDepth = 4;

    /// <summary>Nodes of own types that are looked at: a model may lead in circles.</summary>
    private const int MaxLooks = 20_000;

    private static readonly NodeId BaseEventType = new(StandardIds.ObjectTypes.BaseEventType);
    private static readonly NodeId ConditionType = new(StandardIds.ObjectTypes.ConditionType);
    private static readonly NodeId AuditEventType = new(StandardIds.ObjectTypes.AuditEventType);
    private static readonly NodeId Aggregates = new(StandardIds.ReferenceTypes.Aggregates);

    /// <summary>The fields without which nothing can be mirrored, for a server that takes few.</summary>
    public EventSelection Least => new(
        Fields[..MirroredFields.LeastCount], Clauses[..MirroredFields.LeastCount]);

    /// <summary>Equal where the same is asked for.</summary>
    public bool IsSame(EventSelection other) => AreSame(Fields, other.Fields);

    public static bool AreSame(EventField[] some, EventField[] others) => some.Length == others.Length &&
        !some.Where((field, i) => !field.Path.Equals(others[i].Path)).Any();

    /// <param name="nodes">With the upstream's types.</param>
    /// <param name="map">Of the connection.</param>
    /// <param name="most">Fields.</param>
    /// <param name="isCut">There were more.</param>
    public static EventSelection Of(NodeTable nodes, NamespaceMap map, int most, out bool isCut)
    {
        var types = PlainTypes.All(nodes);
        var fields = MirroredFields.All.ToList();
        var known = fields.ConvertAll(static one => one.Path).ToHashSet();
        var declared = fields.ConvertAll(one => DeclaringType(nodes, types, one.Path));
        var left = MaxLooks;
        foreach (var type in types)
        {
            var id = nodes.GetNodeId(type);
            if (id.NamespaceIndex != 0 && map.TryToUpstream(id, out _) && !nodes.IsSubtypeOf(id, AuditEventType))
                AddFields(nodes, type, [], ref left, (path, builtIn) =>
                {
                    if (!known.Add(path))
                        return;
                    fields.Add(new EventField(path, builtIn));
                    declared.Add(id);
                });
        }

        most = Math.Max(most, MirroredFields.LeastCount);
        isCut = fields.Count > most;
        List<EventField> asked = [];
        List<SimpleAttributeOperand> clauses = [];
        for (var i = 0; i < fields.Count && asked.Count < most; i++)
        {
            if (!TryMake(map, fields[i].Path, declared[i], out var clause))
                continue;
            asked.Add(fields[i]);
            clauses.Add(clause);
        }

        return new EventSelection([.. asked], [.. clauses]);
    }

    /// <summary>False: a name of it is in a namespace that the upstream does not have.</summary>
    private static bool TryMake(NamespaceMap map, FieldPath path, NodeId type, out SimpleAttributeOperand clause)
    {
        var mapper = map.ToUpstream();
        var names = path.Names.ToArray();
        for (var i = 0; i < names.Length; i++)
            names[i] = mapper.Map(names[i]);
        clause = new SimpleAttributeOperand
        {
            TypeDefinitionId = mapper.Map(type),
            BrowsePath = names,
            AttributeId = (uint)path.Attribute,
        };
        return !mapper.Failed;
    }

    /// <summary>Of a field of the standard. Servers are strict: a field of a subtype is not always had by
    /// BaseEventType.</summary>
    private static NodeId DeclaringType(NodeTable nodes, List<NodeHandle> types, FieldPath path)
    {
        if (path.Names.IsEmpty)
            return ConditionType;
        if (path.Equals(MirroredFields.All[MirroredFields.ActionTime].Path))
            return AuditEventType;
        var found = NodeId.Null;
        foreach (var type in types)
        {
            var id = nodes.GetNodeId(type);
            if (id.NamespaceIndex != 0 || nodes.IsSubtypeOf(id, AuditEventType) ||
                !Children(nodes, type).Any(child => nodes.GetBrowseName(child) == path.Names[0]))
                continue;
            // Several types have it, and none of them is the other's: any event may have it.
            if (!found.IsNull && !nodes.IsSubtypeOf(id, found))
                return BaseEventType;
            found = found.IsNull ? id : found;
        }

        return found.IsNull ? BaseEventType : found;
    }

    private static void AddFields(
        NodeTable nodes, NodeHandle parent, QualifiedName[] path, ref int left, Action<FieldPath, BuiltInType> add)
    {
        foreach (var child in Children(nodes, parent))
        {
            if (left-- <= 0)
                return;
            QualifiedName[] below = [.. path, nodes.GetBrowseName(child)];
            if (nodes.GetNodeClass(child) == NodeClass.Variable)
                add(new FieldPath(AttributeId.Value, below), TypeOf(nodes, child));
            if (below.Length < MaxDepth)
                AddFields(nodes, child, below, ref left, add);
        }
    }

    private static List<NodeHandle> Children(NodeTable nodes, NodeHandle parent)
    {
        List<NodeHandle> children = [];
        var aggregates = nodes.Find(Aggregates);
        foreach (var reference in nodes.References(parent))
        {
            if (reference is { IsForward: true, IsExternal: false } &&
                nodes.IsSubtypeOf(reference.ReferenceType, aggregates) &&
                nodes.GetNodeClass(reference.Target) is NodeClass.Variable or NodeClass.Object)
                children.Add(reference.Target);
        }

        return children;
    }

    /// <summary>Variant: of any.</summary>
    private static BuiltInType TypeOf(NodeTable nodes, NodeHandle variable)
    {
        var type = nodes.GetBuiltInType(nodes.GetVariableFacts(variable).DataType);
        return type is BuiltInType.Null or BuiltInType.DataValue ? BuiltInType.Variant : type;
    }
}
