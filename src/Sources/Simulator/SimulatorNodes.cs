using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Sources;
using Gateway.AddressSpace.Values;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.Sources.Simulator;

/// <summary>Collects the simulator's nodes with their first values. Control plane, used once.</summary>
internal sealed class SimulatorNodes
{
    private readonly NodeTable _nodes;
    private readonly ValueStore _values;
    private readonly TimeProvider _time;
    private readonly StoreSource _source;
    private readonly NodeBatch _batch = new();
    private readonly List<(NodeId Node, Variant Value)> _first = [];

    public SimulatorNodes(NodeTable nodes, ValueStore values, TimeProvider time)
    {
        _nodes = nodes;
        _values = values;
        _time = time;
        _source = new StoreSource(values, time);
        NamespaceIndex = nodes.Namespaces.GetOrAdd(PlantSimulator.NamespaceUri);
    }

    public ushort NamespaceIndex { get; }

    public NodeId Id(string identifier) => new(identifier, NamespaceIndex);

    public NodeId AddFolder(string name, NodeId parent, string description)
    {
        _batch.AddObject(Id(name), Name(name), parent, description: new LocalizedText(description));
        return Id(name);
    }

    public NodeId AddObject(string identifier, string name, NodeId parent, string description, bool component = true)
    {
        _batch.AddObject(
            Id(identifier),
            Name(name),
            parent,
            new NodeId(StandardIds.ObjectTypes.BaseObjectType),
            new NodeId(component ? StandardIds.ReferenceTypes.HasComponent : StandardIds.ReferenceTypes.Organizes),
            description: new LocalizedText(description));
        return Id(identifier);
    }

    public void AddVariable(
        NodeId id,
        string name,
        NodeId parent,
        in VariableFacts facts,
        Variant first,
        uint typeDefinition = StandardIds.VariableTypes.BaseDataVariableType,
        string? description = null)
    {
        _batch.AddVariable(
            id,
            Name(name),
            facts,
            _source,
            parent,
            new NodeId(typeDefinition),
            description: new LocalizedText(description));
        _first.Add((id, first));
    }

    /// <summary>A property of the standard, named in its namespace.</summary>
    public void AddProperty(NodeId parent, string name, uint dataType, Variant value)
    {
        var id = Id($"{parent.String}/{name}");
        uint[]? dimensions = value.Elements is { } elements ? [(uint)elements.Length] : null;
        var facts = new VariableFacts(new NodeId(dataType), value.ValueRank, dimensions);
        _batch.AddProperty(id, new QualifiedName(name), facts, _source, parent);
        _first.Add((id, value));
    }

    public void AddMethod(
        string name, NodeId parent, INodeSource source, string description, Argument[] inputs, Argument[] outputs)
    {
        _batch.AddMethod(Id(name), Name(name), source, parent, description: new LocalizedText(description));
        if (inputs.Length > 0)
            AddProperty(Id(name), "InputArguments", StandardIds.DataTypes.Argument, Structures(inputs));
        if (outputs.Length > 0)
            AddProperty(Id(name), "OutputArguments", StandardIds.DataTypes.Argument, Structures(outputs));
    }

    public void Apply()
    {
        if (_nodes.Apply(_batch) > 0)
            throw new InvalidOperationException("The simulator needs the standard's nodes.");
        var now = _time.GetUtcNow().UtcDateTime;
        var changes = _values.BeginBatch();
        foreach (var (node, value) in _first)
            changes.Set(_nodes.Find(node), new DataValue(value, StatusCode.Good, now, now));
        changes.Commit();
    }

    private QualifiedName Name(string name) => new(name, NamespaceIndex);

    private static Variant Structures(IStructure[] structures) => Variant.FromArray(
        BuiltInType.ExtensionObject, Array.ConvertAll(structures, static s => new ExtensionObject(s)));
}
