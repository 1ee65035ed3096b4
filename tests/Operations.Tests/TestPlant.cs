using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Sources;
using Gateway.AddressSpace.Standard;
using Gateway.AddressSpace.Values;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Operations.Access;
using Gateway.Operations.Browsing;
using Gateway.Operations.Searching;

namespace Gateway.Operations.Tests;

/// <summary>The standard's nodes, and below Objects a plant of a namespace of its own.</summary>
internal sealed class TestPlant
{
    private const AccessLevelExType ReadWrite = AccessLevelExType.CurrentRead | AccessLevelExType.CurrentWrite;

    public TestPlant(OperationLimits? limits = null)
    {
        StandardNodes.Load(Nodes, Values);
        Namespace = Nodes.Namespaces.GetOrAdd("urn:test:plant");
        Store = new StoreSource(Values, TimeProvider.System);
        Operations = new NodeOperations(Nodes, Values, limits ?? TestTurn.Plenty, TimeProvider.System);
    }

    public NodeTable Nodes { get; } = new();

    public ValueStore Values { get; } = new(TimeProvider.System);

    public StoreSource Store { get; }

    public ushort Namespace { get; }

    public NodeOperations Operations { get; }

    public NodeAccess Access => Operations.Access;

    public NodePaths Paths => Operations.Paths;

    public NodeSearch Search => Operations.Search;

    public static Caller CallerOf(
        Roles roles, CallerDoor door = CallerDoor.UaBinary,
        MessageSecurityMode mode = MessageSecurityMode.SignAndEncrypt, bool hasSession = true) => new(
        new UserIdentity("anna", "anna", roles, UserKind.UserName), door, mode, true, hasSession);

    public NodeId Id(string id) => new(id, Namespace);

    public NodeHandle this[string id] => Nodes.Find(Id(id));

    /// <param name="id">Its name, too.</param>
    /// <param name="parent">Null: the Objects folder.</param>
    /// <param name="only">The one role that may browse it; null: all.</param>
    /// <param name="description">Null: none.</param>
    public TestPlant Folder(string id, string? parent = null, uint? only = null, string? description = null) =>
        Add(id, parent, NodeClass.Object, StandardIds.ObjectTypes.FolderType, default, only, description);

    public TestPlant Tag(
        string id, string? parent = null, uint? only = null, string? description = null,
        uint type = StandardIds.VariableTypes.BaseDataVariableType, uint dataType = StandardIds.DataTypes.Double,
        string? displayName = null) =>
        Add(
            id, parent, NodeClass.Variable, type, new VariableFacts(new NodeId(dataType)), only, description,
            displayName);

    /// <summary>A Variable of Int32 that can be read and written.</summary>
    /// <param name="id">Its name, too.</param>
    /// <param name="source">Serves it.</param>
    /// <param name="rank">−1: a scalar.</param>
    /// <param name="level">Which accesses it has at all.</param>
    /// <param name="restrictions">Null: none.</param>
    /// <param name="only">The one role that may do all with it; null: by the gateway's roles.</param>
    public TestPlant Variable(
        string id, INodeSource source, int rank = -1, AccessLevelExType level = ReadWrite,
        AccessRestrictionType? restrictions = null, uint? only = null) =>
        AddServed(
            id, NodeClass.Variable, source, StandardIds.ReferenceTypes.Organizes,
            new VariableFacts(new NodeId(StandardIds.DataTypes.Int32), rank, null, level), restrictions, only);

    /// <summary>A Method of the Objects folder with two Int32 as inputs.</summary>
    public TestPlant Method(
        string id, INodeSource source, AccessRestrictionType? restrictions = null, uint? only = null)
    {
        AddServed(
            id, NodeClass.Method, source, StandardIds.ReferenceTypes.HasComponent, default, restrictions, only);
        var (inputs, type) = (Id(id + ".In"), new NodeId(StandardIds.DataTypes.Int32));
        Nodes.Apply(new NodeBatch().AddProperty(
            inputs, new QualifiedName("InputArguments"),
            new VariableFacts(new NodeId(StandardIds.DataTypes.Argument), 1), Store, Id(id)));
        Values.Set(Nodes.Find(inputs), new DataValue(Variant.FromArray(BuiltInType.ExtensionObject, new[]
        {
            new ExtensionObject(new Argument { Name = "a", DataType = type, ValueRank = -1 }),
            new ExtensionObject(new Argument { Name = "b", DataType = type, ValueRank = -1 }),
        })));
        return this;
    }

    /// <summary>Of the store.</summary>
    public TestPlant Set(string id, Variant value)
    {
        Values.Set(this[id], new DataValue(value));
        return this;
    }

    private TestPlant AddServed(
        string id, NodeClass nodeClass, INodeSource source, uint reference, VariableFacts facts,
        AccessRestrictionType? restrictions, uint? only)
    {
        Nodes.Apply(new NodeBatch()
            .AddNode(new NodeDefinition
            {
                NodeId = Id(id),
                NodeClass = nodeClass,
                BrowseName = new QualifiedName(id, Namespace),
                Variable = facts,
                Source = source,
                AccessRestrictions = restrictions,
                RolePermissions = only is null ? null : [AllFor(only.Value)],
            })
            .AddReference(new NodeId(StandardIds.Objects.ObjectsFolder), new NodeId(reference), Id(id)));
        return this;
    }

    private TestPlant Add(
        string id, string? parent, NodeClass nodeClass, uint type, VariableFacts facts, uint? only,
        string? description, string? displayName = null)
    {
        Nodes.Apply(new NodeBatch()
            .AddNode(new NodeDefinition
            {
                NodeId = Id(id),
                NodeClass = nodeClass,
                BrowseName = new QualifiedName(id[(id.LastIndexOf('.') + 1)..], Namespace),
                DisplayName = displayName is null ? default : new LocalizedText(displayName),
                Description = description is null ? default : new LocalizedText(description),
                Variable = facts,
                RolePermissions = only is null ? null : [PermissionsOf(only.Value)],
            })
            .AddReference(
                parent is null ? new NodeId(StandardIds.Objects.ObjectsFolder) : Id(parent),
                new NodeId(StandardIds.ReferenceTypes.Organizes), Id(id))
            .AddReference(Id(id), new NodeId(StandardIds.ReferenceTypes.HasTypeDefinition), new NodeId(type)));
        return this;
    }

    private static RolePermissionType AllFor(uint role) => new()
    {
        RoleId = new NodeId(role),
        Permissions = PermissionType.Browse | PermissionType.Read | PermissionType.Write | PermissionType.Call,
    };

    private static RolePermissionType PermissionsOf(uint role) => new()
    {
        RoleId = new NodeId(role),
        Permissions = PermissionType.Browse | PermissionType.Read,
    };
}
