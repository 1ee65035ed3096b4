using Gateway.Codec.Json.Definitions;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.AddressSpace.Nodes;

/// <summary>The DataTypes of a node table, for code that only sees values: those of the standard, of NodeSets and of
/// upstreams. Threads: any.</summary>
public sealed class TableDefinitions(NodeTable table) : IDataTypeDefinitions
{
    /// <summary>An encoding has two references. Bounds the work for an id that a peer has put into a value (R44).
    /// </summary>
    private const int MaxReferences = 64;

    private static readonly NodeId HasEncoding = new(StandardIds.ReferenceTypes.HasEncoding);

    /// <summary>A DataType stands for itself.</summary>
    public NodeId DataTypeOf(NodeId encodingId)
    {
        var handle = table.Find(encodingId);
        if (table.GetNodeClass(handle) == NodeClass.DataType)
            return encodingId;
        var references = table.References(handle);
        for (var i = 0; i < Math.Min(references.Count, MaxReferences); i++)
        {
            var reference = references[i];
            if (!reference.IsForward && table.GetNodeId(reference.ReferenceType) == HasEncoding)
                return table.GetNodeId(reference.Target);
        }

        return default;
    }

    public NodeId BinaryEncodingOf(NodeId dataTypeId) => EncodingOf(dataTypeId, "Default Binary");

    public NodeId XmlEncodingOf(NodeId dataTypeId) => EncodingOf(dataTypeId, "Default XML");

    public DataTypeDefinition? DefinitionOf(NodeId dataTypeId) =>
        table.ReadAttribute(table.Find(dataTypeId), AttributeId.DataTypeDefinition, out var value).IsGood
            ? value.AsStructure<DataTypeDefinition>()
            : null;

    public BuiltInType BuiltInTypeOf(NodeId dataTypeId) => table.GetBuiltInType(dataTypeId);

    private NodeId EncodingOf(NodeId dataTypeId, string name)
    {
        var dataType = table.Find(dataTypeId);
        if (table.GetNodeClass(dataType) != NodeClass.DataType)
            return default;
        foreach (var reference in table.References(dataType))
        {
            if (reference.IsForward && table.GetNodeId(reference.ReferenceType) == HasEncoding &&
                table.GetBrowseName(reference.Target).Name == name)
                return table.GetNodeId(reference.Target);
        }

        return default;
    }
}
