using System.Globalization;
using System.Security.Cryptography;
using System.Text;
using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using DataSetKeyValuePair = Gateway.Codec.Structures.KeyValuePair;

namespace Gateway.PubSub.DataSets;

/// <summary>The fields of a data set and how a subscriber learns of them. A change of the address space makes a new
/// one. Immutable. Source: Part 14 §6.2.3.2.</summary>
public sealed class DataSetLayout
{
    /// <summary>Property of a field: its node as <c>nsu=…</c>, so that a gateway which reads the messages can show the
    /// same NodeId.</summary>
    public static readonly QualifiedName NodeProperty = new("NodeId");

    private static readonly DateTime Epoch = new(2000, 1, 1, 0, 0, 0, DateTimeKind.Utc);

    private DataSetLayout(
        IReadOnlyList<PublishedField> fields, DataSetMetaDataType metaData, EventSelection? events) =>
        (Fields, MetaData, Events) = (fields, metaData, events);

    public IReadOnlyList<PublishedField> Fields { get; }

    public DataSetMetaDataType MetaData { get; }

    public ConfigurationVersionDataType Version => MetaData.ConfigurationVersion;

    /// <summary>The fields are those of events; null: they are Variables.</summary>
    public EventSelection? Events { get; }

    /// <summary>The same fields with other settings: subscribers see no difference.</summary>
    public DataSetLayout With(IReadOnlyList<PublishedField> fields, EventSelection? events) =>
        new(fields, MetaData, events);

    /// <param name="name">Of the data set.</param>
    /// <param name="fields">In order.</param>
    /// <param name="nodes">Describes them.</param>
    /// <param name="before">The layout that it replaces; null: none.</param>
    /// <param name="now">UTC: a version is a time.</param>
    /// <param name="versions">Of earlier processes; null: there are none.</param>
    /// <param name="events">Where the fields are those of events.</param>
    public static DataSetLayout Create(
        string name, IReadOnlyList<PublishedField> fields, NodeTable nodes, DataSetLayout? before, DateTime now,
        VersionFile? versions = null, EventSelection? events = null)
    {
        var (uris, metaData) = (nodes.Namespaces.Uris[1..], fields.Select(field => Describe(name, field, nodes)));
        var described = metaData.ToArray();
        var hash = HashOf(uris, described);
        var time = Math.Max((uint)(now - Epoch).TotalSeconds, (versions?.Newest(name) ?? 0) + 1);
        var version = versions?.Find(name, hash) ?? VersionOf(uris, described, before, time);
        versions?.Keep(name, hash, version);
        return new DataSetLayout(fields, new DataSetMetaDataType
        {
            Namespaces = uris,
            Name = name,
            Fields = described,
            ConfigurationVersion = version,
        }, events);
    }

    /// <summary>A subscriber that knows the fields so far can go on where others came behind them: the minor version
    /// alone. Source: Part 14 §5.2.3.</summary>
    private static ConfigurationVersionDataType VersionOf(
        string[] uris, FieldMetaData[] fields, DataSetLayout? before, uint time)
    {
        if (before is null)
            return new ConfigurationVersionDataType { MajorVersion = time, MinorVersion = time };
        // Two changes within a second have two versions.
        var version = Math.Max(time, Math.Max(before.Version.MajorVersion, before.Version.MinorVersion) + 1);
        var known = before.MetaData.Fields ?? [];
        var isLonger = fields.Length >= known.Length &&
            uris.SequenceEqual(before.MetaData.Namespaces ?? []) &&
            known.Zip(fields).All(static pair => IsSame(pair.First, pair.Second));
        return new ConfigurationVersionDataType
        {
            MajorVersion = isLonger ? before.Version.MajorVersion : version,
            MinorVersion = version,
        };
    }

    private static bool IsSame(FieldMetaData left, FieldMetaData right) =>
        left.DataSetFieldId == right.DataSetFieldId && left.Name == right.Name &&
        left.DataType == right.DataType && left.BuiltInType == right.BuiltInType &&
        left.ValueRank == right.ValueRank;

    private static FieldMetaData Describe(string dataSet, in PublishedField field, NodeTable nodes)
    {
        var node = nodes.Find(field.Declaration.IsNull ? field.Node : field.Declaration);
        var facts = field.Type == BuiltInType.Null
            ? nodes.GetVariableFacts(node)
            : new VariableFacts(new NodeId((uint)field.Type));
        var isKnown = (!node.IsNone || field.Type != BuiltInType.Null) && !facts.DataType.IsNull;
        var text = TextOf(field.Node, nodes);
        return new FieldMetaData
        {
            Name = field.Name,
            Description = nodes.GetDescription(node),
            // Part 14 §6.2.3.2.3: of an abstract DataType it is that of a Variant.
            BuiltInType = (byte)(field.Type != BuiltInType.Null ? field.Type
                : facts.BuiltInType == BuiltInType.Null ? BuiltInType.Variant : facts.BuiltInType),
            DataType = isKnown ? facts.DataType : new NodeId(StandardIds.DataTypes.BaseDataType),
            ValueRank = isKnown ? facts.ValueRank : -2,
            ArrayDimensions = facts.ArrayDimensions,
            DataSetFieldId = IdOf(dataSet, field.Name, text),
            Properties = text.Length == 0
                ? []
                : [new DataSetKeyValuePair { Key = NodeProperty, Value = new Variant(text) }],
        };
    }

    /// <summary>As <c>nsu=…</c>; null: the field has none.</summary>
    public static string? NodeOf(FieldMetaData field)
    {
        foreach (var property in field.Properties ?? [])
        {
            if (property.Key == NodeProperty)
                return property.Value.AsString();
        }

        return null;
    }

    private static string TextOf(in NodeId node, NodeTable nodes)
    {
        if (node.IsNull)
            return "";
        var uri = nodes.Namespaces.GetUri(node.NamespaceIndex);
        return NodeIdText.Format(new ExpandedNodeId(node.WithNamespace(0), node.NamespaceIndex == 0 ? null : uri));
    }

    /// <summary>Of all that a subscriber decodes by.</summary>
    private static string HashOf(string[] uris, FieldMetaData[] fields)
    {
        var text = new StringBuilder().AppendJoin('\n', uris);
        foreach (var field in fields)
        {
            text.Append(CultureInfo.InvariantCulture, $"\n{field.Name}\t{field.DataSetFieldId}\t{field.DataType}\t");
            text.Append(CultureInfo.InvariantCulture, $"{field.BuiltInType}\t{field.ValueRank}\t");
            text.AppendJoin(',', field.ArrayDimensions ?? []);
        }

        return Convert.ToHexString(SHA256.HashData(Encoding.UTF8.GetBytes(text.ToString())));
    }

    /// <summary>The same at each start and on each replica.</summary>
    private static Guid IdOf(string dataSet, string field, string node)
    {
        Span<byte> hash = stackalloc byte[SHA256.HashSizeInBytes];
        SHA256.HashData(Encoding.UTF8.GetBytes($"{dataSet}\n{field}\n{node}"), hash);
        return new Guid(hash[..16]);
    }
}
