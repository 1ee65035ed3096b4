using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Standard;
using Gateway.AddressSpace.Values;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Operations.Access;
using Gateway.PubSub.DataSets;
using Gateway.PubSub.Options;
using Gateway.Testing;

namespace Gateway.PubSub.Tests.DataSets;

/// <summary>The standard's nodes and some of a plant, <c>ns=1;s=…</c>, each below the one that its name begins with.
/// </summary>
internal sealed class Plant
{
    public Plant(PubSubLimits? limits = null)
    {
        StandardNodes.Load(Nodes, Values);
        Nodes.Namespaces.GetOrAdd("urn:plant");
        Access = new NodeAccess(Nodes, new AccessPolicy(Nodes));
        Resolver = new DataSetResolver(Nodes, Access, limits ?? new PubSubLimits());
    }

    public static Caller Publisher { get; } = new(
        new UserIdentity("pubsub", "PubSub", Roles.Observer, UserKind.UserName), CallerDoor.Inside,
        MessageSecurityMode.SignAndEncrypt, isTrustedApplication: true, hasSession: false);

    public ManualTimeProvider Time { get; } = new();

    /// <summary>Null: versions are always new.</summary>
    public VersionFile? Versions { get; init; }

    public NodeTable Nodes { get; } = new();

    public ValueStore Values { get; } = new(TimeProvider.System);

    public NodeAccess Access { get; }

    public DataSetResolver Resolver { get; }

    public PublishedDataSet Publish(params string[] nodes) =>
        Publish(new DataSetOptions { Name = "tags", Nodes = nodes });

    public PublishedDataSet Publish(DataSetOptions options) =>
        new(options, Resolver, Nodes, Publisher, Time, Versions);

    /// <param name="path">Names with points between, the last of them the new node's.</param>
    public Plant AddFolder(string path)
    {
        Nodes.Apply(new NodeBatch().AddObject(IdOf(path), NameOf(path), ParentOf(path)));
        return this;
    }

    public Plant AddTag(string path, BuiltInType type = BuiltInType.Double, bool isHidden = false)
    {
        var node = new NodeDefinition
        {
            NodeId = IdOf(path),
            NodeClass = NodeClass.Variable,
            BrowseName = NameOf(path),
            Variable = new VariableFacts(new NodeId((uint)type)),
            RolePermissions = isHidden
                ? [new() { RoleId = new NodeId(StandardIds.Objects.WellKnownRole_Engineer), Permissions = Everything }]
                : null,
        };
        Nodes.Apply(new NodeBatch().AddNode(node).AddReference(
            ParentOf(path), new NodeId(StandardIds.ReferenceTypes.HasComponent), node.NodeId));
        return this;
    }

    public Plant AddProperty(string path)
    {
        Nodes.Apply(new NodeBatch().AddProperty(
            IdOf(path), NameOf(path), new VariableFacts(new NodeId((uint)BuiltInType.Double)), null, ParentOf(path)));
        return this;
    }

    public Plant Remove(string path)
    {
        Nodes.Apply(new NodeBatch().Remove(Nodes.Find(IdOf(path))));
        return this;
    }

    public void Set(string path, double value) => Values.Set(
        Nodes.Find(IdOf(path)), new DataValue(new Variant(value), StatusCode.Good, DateTime.UnixEpoch));

    /// <summary>Names of the fields, those without a node with a <c>?</c>.</summary>
    public string[] Resolve(params string[] patterns) =>
    [
        .. Resolver.Resolve(Publisher, [.. patterns.Select(one => NodePattern.Parse(one)!)], out _)
            .Select(field => field.Name + (field.Node.IsNull ? "?" : "")),
    ];

    public static NodeId IdOf(string path) => new(path, 1);

    private const PermissionType Everything = (PermissionType)0x1FFFF;

    private static QualifiedName NameOf(string path) => new(path[(path.LastIndexOf('.') + 1)..], 1);

    private static NodeId ParentOf(string path) => path.LastIndexOf('.') is > 0 and var end
        ? IdOf(path[..end])
        : new NodeId(StandardIds.Objects.ObjectsFolder);
}
