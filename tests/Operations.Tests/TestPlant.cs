using Gateway.AddressSpace.Nodes;
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
    public TestPlant()
    {
        StandardNodes.Load(Nodes, new ValueStore(TimeProvider.System));
        Namespace = Nodes.Namespaces.GetOrAdd("urn:test:plant");
        Access = new NodeAccess(Nodes, new AccessPolicy(Nodes));
        Paths = new NodePaths(Nodes, Access);
        Search = new NodeSearch(Nodes, Access, Paths);
    }

    public NodeTable Nodes { get; } = new();

    public ushort Namespace { get; }

    public NodeAccess Access { get; }

    public NodePaths Paths { get; }

    public NodeSearch Search { get; }

    public static Caller CallerOf(Roles roles) => new(
        new UserIdentity("anna", "anna", roles, UserKind.UserName), CallerDoor.UaBinary,
        MessageSecurityMode.SignAndEncrypt, true, true);

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

    private static RolePermissionType PermissionsOf(uint role) => new()
    {
        RoleId = new NodeId(role),
        Permissions = PermissionType.Browse | PermissionType.Read,
    };
}
