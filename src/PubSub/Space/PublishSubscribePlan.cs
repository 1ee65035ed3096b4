using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Sources;
using Gateway.Codec.Types;
using Gateway.PubSub.Options;

namespace Gateway.PubSub.Space;

/// <summary>The nodes that options make, by their keys: <c>Connections/c/WriterGroups/g/w/Status/State</c>. No name of
/// the configuration holds a slash. Source: Part 14 §9.1.</summary>
internal sealed class PublishSubscribePlan(ushort ns, INodeSource source)
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

    private static readonly NodeId Root = new(StandardIds.Objects.PublishSubscribe);

    public List<(NodeId Id, Action<NodeBatch> To)> All { get; } = [];

    public IEnumerable<NodeId> Ids => All.Select(static one => one.Id);

    /// <summary>Of the Variables.</summary>
    public Dictionary<NodeId, string> Keys { get; } = [];

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

        foreach (var one in options.Connections)
            Add(one);
    }

    private void Add(ConnectionOptions options)
    {
        var key = $"Connections/{options.Name}";
        var id = OfObject(key, options.Name, Root, ConnectionType, HasPubSubConnection);
        AddProperty(id, "PublisherId", StandardIds.DataTypes.String);
        AddStatus(id);
        foreach (var group in options.WriterGroups)
        {
            var of = OfObject($"{key}/WriterGroups/{group.Name}", group.Name, id, WriterGroupType, HasWriterGroup);
            AddProperty(of, "WriterGroupId", StandardIds.DataTypes.UInt16);
            AddProperty(of, "PublishingInterval", StandardIds.DataTypes.Duration);
            AddProperty(of, "KeepAliveTime", StandardIds.DataTypes.Duration);
            AddStatus(of);
            AddCounters(of, "SentNetworkMessages", "FailedTransmissions", "SentValues", "SkippedValues");
            foreach (var writer in group.DataSetWriters)
            {
                var its = OfObject(
                    PartNames.OfWriter(of.String!, writer.Name), writer.Name, of, DataSetWriterType, HasDataSetWriter);
                AddProperty(its, "DataSetWriterId", StandardIds.DataTypes.UInt16);
                AddStatus(its);
                AddCounters(its, "SentDataSetMessages");
            }
        }

        foreach (var group in options.ReaderGroups)
        {
            var of = OfObject($"{key}/ReaderGroups/{group.Name}", group.Name, id, ReaderGroupType, HasReaderGroup);
            AddStatus(of);
            foreach (var reader in group.DataSetReaders)
            {
                var its = OfObject(
                    PartNames.OfReader(of.String!, reader.Name), reader.Name, of, DataSetReaderType, HasDataSetReader);
                AddProperty(its, "PublisherId", StandardIds.DataTypes.String);
                AddProperty(its, "DataSetWriterId", StandardIds.DataTypes.UInt16);
                AddProperty(its, "MessageReceiveTimeout", StandardIds.DataTypes.Duration);
                AddStatus(its);
                AddCounters(its, "ReceivedDataSetMessages", "FailedDataSetMessages", "MissingDataSetMessages");
            }
        }
    }

    private void AddStatus(NodeId owner)
    {
        var status = OfObject(
            $"{owner.String}/Status", "Status", owner, StatusType, StandardIds.ReferenceTypes.HasComponent);
        AddVariable(Of($"{status.String}/State"), "State", status, PubSubState, $"{status.String}/State");
    }

    /// <summary>In a plain object: the standard's type demands counters of methods that there are none of.</summary>
    private void AddCounters(NodeId owner, params string[] names)
    {
        var diagnostics = OfObject(
            $"{owner.String}/Diagnostics", "Diagnostics", owner, StandardIds.ObjectTypes.BaseObjectType,
            StandardIds.ReferenceTypes.HasComponent);
        foreach (var name in names)
        {
            var key = $"{diagnostics.String}/{name}";
            AddVariable(Of(key), name, diagnostics, StandardIds.DataTypes.UInt64, key);
        }
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
