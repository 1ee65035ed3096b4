using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Values;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Sources.OpcUa.Namespaces;

namespace Gateway.Sources.OpcUa.Browsing;

/// <summary>An upstream's DataTypeDefinitions with the gateway's namespace indexes. Source: Part 3 §8.48.</summary>
internal sealed class DefinitionTranslator(BrowsedSpace space, NodeTable nodes, NamespaceMap map)
{
    /// <summary>Null where a field has a type that is not served: by a definition without it values would be read
    /// wrong, without a definition they pass as they are.</summary>
    public DataTypeDefinition? Translate(DataTypeDefinition? definition)
    {
        if (definition is not StructureDefinition structure)
            return definition;
        var mapper = new ValueMapper(map, toLocal: true);
        var fields = new StructureField[structure.Fields?.Length ?? 0];
        for (var i = 0; i < fields.Length; i++)
        {
            var field = structure.Fields![i];
            if (!IsServed(field.DataType))
                return null;
            fields[i] = new StructureField
            {
                Name = field.Name,
                Description = field.Description,
                DataType = mapper.Map(field.DataType),
                ValueRank = field.ValueRank,
                ArrayDimensions = field.ArrayDimensions,
                MaxStringLength = field.MaxStringLength,
                IsOptional = field.IsOptional,
            };
        }

        var translated = new StructureDefinition
        {
            DefaultEncodingId = mapper.Map(structure.DefaultEncodingId),
            BaseDataType = mapper.Map(structure.BaseDataType),
            StructureType = structure.StructureType,
            Fields = fields,
        };
        return mapper.Failed ? null : translated;
    }

    private bool IsServed(NodeId type) => type.NamespaceIndex == 0
        ? !nodes.Find(type).IsNone
        : space.Nodes.TryGetValue(type, out var node) && node.NodeClass == NodeClass.DataType;
}
