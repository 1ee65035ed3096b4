using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Sources.OpcUa.Browsing;

namespace Gateway.Sources.OpcUa.Tests.Browsing;

/// <summary>Nodes and definitions of a small model.</summary>
internal static class ModelParts
{
    /// <summary>Of a structure.</summary>
    public static NodeId Binary { get; } = new("Binary", 1);

    public static BrowsedNode Add(BrowsedSpace space, NodeId id, NodeClass nodeClass, bool isModel)
    {
        var node = new BrowsedNode
        {
            Id = id,
            NodeClass = nodeClass,
            BrowseName = id == Binary ? new QualifiedName("Default Binary") : new QualifiedName(id.String, 1),
            IsModel = isModel,
        };
        space.Nodes.Add(id, node);
        return node;
    }

    public static StructureDefinition Definition(string field) => new()
    {
        BaseDataType = new NodeId(22),
        Fields = [new StructureField { Name = field, DataType = new NodeId(11), ValueRank = -1 }],
    };

    public static StructureDefinition Uses(params NodeId[] types) => new()
    {
        BaseDataType = new NodeId(22),
        Fields = [.. types.Select(static (type, i) => new StructureField { Name = $"f{i}", DataType = type })],
    };
}
