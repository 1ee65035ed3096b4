using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Sources;
using Gateway.Codec.Types;
using Gateway.PubSub.Options;

namespace Gateway.PubSub.Space;

/// <summary>The nodes that options make, by their keys: <c>Connections/c/WriterGroups/g/w/Status/State</c>. No name of
/// the configuration holds a slash. Source: Part 14 §9.1.</summary>
internal sealed class PublishSubscribePlan(ushort ns, INodeSource source, string publisherId)
{
    /// <summary>Of the object's own parts in the standard's model.</summary>
    public const string StateOfAll = "Status/State";

    private const uint PublishSubscribeType = 14416;
    private const uint DataSetFolderType = 14477;
    private const uint PublishedDataSetType = 14509;
    private const uint ConnectionType = 14209;
    private const uint WriterGroupType = 17725;
    private const uint DataSetWriterType = 15298;
    private const uint ReaderGroupType = 17999;
    private const uint DataSetReaderType = 15306;
    private const uint StatusType = 14643;
    private const uint PubSubState = 14647;
    private const uint ConfigurationVersion = 14593;
    private const uint PublishedDataSets = 17371;
    private const uint Status = 17405;
    private const uint State = 17406;
    private const uint HasPubSubConnection = 14476;
    private const uint HasDataSetWriter = 15296;
    private const uint HasDataSetReader = 15297;
    private const uint HasWriterGroup = 18804;
    private const uint HasReaderGroup = 18805;
    private const uint DiagnosticsLevel = 19723;
    private const uint CounterType = 19725;
    private const uint Classification = 19730;
    private const uint SelectionList = 16309;
    private const uint BaseVariable = StandardIds.VariableTypes.BaseDataVariableType;

    private static readonly NodeId Root = new(StandardIds.Objects.PublishSubscribe);

    public List<(NodeId Id, Action<NodeBatch> To)> All { get; } = [];

    public IEnumerable<NodeId> Ids => All.Select(static one => one.Id);

    /// <summary>Of the Variables.</summary>
    public Dictionary<NodeId, string> Keys { get; } = [];

    /// <summary>Values that change with the configuration alone.</summary>
    public Dictionary<string, Variant> Constants { get; } = new(StringComparer.Ordinal);

    /// <summary>Diagnostics objects, by their keys.</summary>
    public Dictionary<string, DiagnosticsParts> Diagnostics { get; } = new(StringComparer.Ordinal);

    /// <summary>Of the methods Reset: the keys of their objects.</summary>
    public Dictionary<NodeId, string> Resets { get; } = [];

    public void Add(PubSubOptions options)
    {
        AddObject(Root, "PublishSubscribe", new NodeId(StandardIds.Objects.Server), PublishSubscribeType,
            StandardIds.ReferenceTypes.HasComponent);
        AddObject(new NodeId(PublishedDataSets), "PublishedDataSets", Root, DataSetFolderType,
            StandardIds.ReferenceTypes.HasComponent);
        AddObject(new NodeId(Status), "Status", Root, StatusType, StandardIds.ReferenceTypes.HasComponent);
        AddVariable(new NodeId(State), "State", new NodeId(Status), PubSubState, StateOfAll);
        foreach (var one in options.DataSets)
        {
            var id = OfObject($"DataSets/{one.Name}", one.Name, new NodeId(PublishedDataSets), PublishedDataSetType,
                StandardIds.ReferenceTypes.HasComponent);
            AddProperty(id, "ConfigurationVersion", ConfigurationVersion);
        }

        var settings = new SettingsPlan(this, publisherId, options.DataSets);
        foreach (var one in options.Connections)
            Add(one, settings);
    }

    /// <summary>An object that the standard's model names.</summary>
    public NodeId AddPart(NodeId owner, string name, uint type)
    {
        var id = Of($"{owner.String}/{name}");
        AddObject(id, name, owner, type, StandardIds.ReferenceTypes.HasComponent);
        return id;
    }

    /// <param name="owner">Has it.</param>
    /// <param name="name">Of the standard's model.</param>
    /// <param name="dataType">Of the value.</param>
    /// <param name="value">As configured.</param>
    /// <param name="variableType">A Property has a HasProperty reference, others HasComponent.</param>
    /// <param name="isList">The value is an array.</param>
    public void AddConstant(
        NodeId owner, string name, uint dataType, Variant value,
        uint variableType = StandardIds.VariableTypes.PropertyType, bool isList = false)
    {
        var id = Of($"{owner.String}/{name}");
        Constants[id.String!] = value;
        AddTyped(id, name, owner, dataType, variableType, isList);
        if (variableType != SelectionList)
            return;
        var selections = $"{id.String}/Selections";
        Constants[selections] = Variant.FromArray(BuiltInType.String, new[] { value.AsString() ?? "" });
        AddTyped(
            Of(selections), "Selections", id, dataType, StandardIds.VariableTypes.PropertyType, isList: true);
    }

    private void Add(ConnectionOptions options, SettingsPlan settings)
    {
        var key = $"Connections/{options.Name}";
        var id = OfObject(key, options.Name, Root, ConnectionType, HasPubSubConnection);
        AddProperty(id, "PublisherId", StandardIds.DataTypes.String);
        AddStatus(id);
        var described = settings.Add(id, options);
        foreach (var group in options.WriterGroups)
        {
            var of = OfObject($"{key}/WriterGroups/{group.Name}", group.Name, id, WriterGroupType, HasWriterGroup);
            AddProperty(of, "WriterGroupId", StandardIds.DataTypes.UInt16);
            AddProperty(of, "PublishingInterval", StandardIds.DataTypes.Duration);
            AddProperty(of, "KeepAliveTime", StandardIds.DataTypes.Duration);
            AddStatus(of);
            AddDiagnostics(of, DiagnosticsParts.WriterGroup);
            if (described.TryGetValue(group.Name, out var known))
                settings.Add(of, known);
            foreach (var writer in group.DataSetWriters)
            {
                var its = OfObject(
                    PartNames.OfWriter(of.String!, writer.Name), writer.Name, of, DataSetWriterType, HasDataSetWriter);
                AddProperty(its, "DataSetWriterId", StandardIds.DataTypes.UInt16);
                AddStatus(its);
                AddDiagnostics(its, DiagnosticsParts.Writer);
                if (Array.Find(known?.DataSetWriters ?? [], one => one.Name == writer.Name) is { } description)
                    settings.Add(its, description);
            }
        }

        foreach (var group in options.ReaderGroups)
        {
            var of = OfObject($"{key}/ReaderGroups/{group.Name}", group.Name, id, ReaderGroupType, HasReaderGroup);
            AddStatus(of);
            AddDiagnostics(of, DiagnosticsParts.ReaderGroup);
            foreach (var reader in group.DataSetReaders)
            {
                var its = OfObject(
                    PartNames.OfReader(of.String!, reader.Name), reader.Name, of, DataSetReaderType, HasDataSetReader);
                AddProperty(its, "PublisherId", StandardIds.DataTypes.String);
                AddProperty(its, "DataSetWriterId", StandardIds.DataTypes.UInt16);
                AddProperty(its, "MessageReceiveTimeout", StandardIds.DataTypes.Duration);
                AddStatus(its);
                AddDiagnostics(its, DiagnosticsParts.Reader);
            }
        }
    }

    private void AddStatus(NodeId owner)
    {
        var status = AddPart(owner, "Status", StatusType);
        AddVariable(Of($"{status.String}/State"), "State", status, PubSubState, $"{status.String}/State");
    }

    /// <summary>The mandatory parts of the standard's type. Source: Part 14 §9.1.11.2.</summary>
    private void AddDiagnostics(NodeId owner, DiagnosticsParts parts)
    {
        var id = AddPart(owner, "Diagnostics", parts.Type);
        Diagnostics[id.String!] = parts;
        AddConstant(id, "DiagnosticsLevel", DiagnosticsLevel, new Variant(0), BaseVariable);
        AddCounter(id, new DiagnosticsCounter("TotalInformation"));
        AddCounter(id, new DiagnosticsCounter("TotalError", IsError: true));
        var subError = $"{id.String}/SubError";
        AddVariable(Of(subError), "SubError", id, StandardIds.DataTypes.Boolean, subError);
        var reset = Of($"{id.String}/Reset");
        Resets[reset] = id.String!;
        All.Add((reset, batch => batch.AddMethod(reset, new QualifiedName("Reset"), source, id)));
        var counters = AddPart(id, "Counters", StandardIds.ObjectTypes.BaseObjectType);
        foreach (var counter in parts.Counters)
            AddCounter(counters, counter);
        var live = AddPart(id, "LiveValues", StandardIds.ObjectTypes.BaseObjectType);
        foreach (var name in parts.LiveValues)
        {
            var key = $"{live.String}/{name}";
            AddVariable(Of(key), name, live, StandardIds.DataTypes.UInt16, key);
            AddConstant(Of(key), "DiagnosticsLevel", DiagnosticsLevel, new Variant(0));
        }
    }

    private void AddCounter(NodeId owner, DiagnosticsCounter counter)
    {
        var id = Of($"{owner.String}/{counter.Name}");
        AddTyped(
            id, counter.Name, owner, StandardIds.DataTypes.UInt32, CounterType, isList: false,
            counter.IsOwn ? ns : (ushort)0);
        AddConstant(id, "Active", StandardIds.DataTypes.Boolean, new Variant(true));
        AddConstant(id, "Classification", Classification, new Variant(counter.IsError ? 1 : 0));
        AddConstant(id, "DiagnosticsLevel", DiagnosticsLevel, new Variant(0));
    }

    private void AddTyped(
        NodeId id, string name, NodeId owner, uint dataType, uint variableType, bool isList, ushort of = 0)
    {
        Keys[id] = id.String!;
        var reference = variableType == StandardIds.VariableTypes.PropertyType
            ? StandardIds.ReferenceTypes.HasProperty
            : StandardIds.ReferenceTypes.HasComponent;
        All.Add((id, batch => batch.AddVariable(
            id, new QualifiedName(name, of), new VariableFacts(new NodeId(dataType), isList ? 1 : -1), source, owner,
            new NodeId(variableType), new NodeId(reference))));
    }

    private void AddProperty(NodeId owner, string name, uint type)
    {
        var id = Of($"{owner.String}/{name}");
        Keys[id] = id.String!;
        All.Add((id, batch => batch.AddProperty(
            id, new QualifiedName(name), new VariableFacts(new NodeId(type)), source, owner)));
    }

    private void AddVariable(NodeId id, string name, NodeId owner, uint type, string key)
    {
        Keys[id] = key;
        All.Add((id, batch => batch.AddVariable(
            id, new QualifiedName(name), new VariableFacts(new NodeId(type)), source, owner)));
    }

    private NodeId OfObject(string key, string name, NodeId owner, uint type, uint reference)
    {
        var id = Of(key);
        AddObject(id, name, owner, type, reference, ns);
        return id;
    }

    private void AddObject(NodeId id, string name, NodeId owner, uint type, uint reference, ushort of = 0) => All.Add(
        (id, batch => batch.AddObject(
            id, new QualifiedName(name, of), owner, new NodeId(type), new NodeId(reference))));

    private NodeId Of(string key) => new(key, ns);
}
