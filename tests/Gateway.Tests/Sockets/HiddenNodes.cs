using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Values;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Tests.Rest;

namespace Gateway.Tests.Sockets;

/// <summary>A variable and a method that only an Engineer may see.</summary>
internal static class HiddenNodes
{
    public const string Secret = "Combination-51180";
    public const string Variable = "Crypt";
    public const string Method = "Latch";

    /// <summary>Nothing, where they are there already.</summary>
    public static void AddTo(RestGateway gateway)
    {
        var nodes = gateway.Host.Get<NodeTable>();
        if (!nodes.Find(new NodeId(Variable, 2)).IsNone)
            return;
        var facts = new VariableFacts(
            new NodeId(StandardIds.DataTypes.String),
            AccessLevel: AccessLevelExType.CurrentRead | AccessLevelExType.CurrentWrite);
        nodes.Apply(new NodeBatch()
            .AddNode(Hidden(Variable, NodeClass.Variable) with { Variable = facts })
            .AddReference(
                new NodeId(StandardIds.Objects.ObjectsFolder), new NodeId(StandardIds.ReferenceTypes.Organizes),
                new NodeId(Variable, 2))
            .AddNode(Hidden(Method, NodeClass.Method))
            .AddReference(
                new NodeId("Methods", 2), new NodeId(StandardIds.ReferenceTypes.HasComponent),
                new NodeId(Method, 2)));
        gateway.Host.Get<ValueStore>().Set(
            nodes.Find(new NodeId(Variable, 2)), new DataValue(new Variant(Secret)));
    }

    private static NodeDefinition Hidden(string name, NodeClass nodeClass) => new()
    {
        NodeId = new NodeId(name, 2),
        NodeClass = nodeClass,
        BrowseName = new QualifiedName(name, 2),
        RolePermissions =
        [
            new RolePermissionType
            {
                RoleId = new NodeId(StandardIds.Objects.WellKnownRole_Engineer),
                Permissions = PermissionType.Browse | PermissionType.Read | PermissionType.Write | PermissionType.Call,
            },
        ],
    };
}
