using Gateway.Codec.Structures;

namespace Gateway.Sources.OpcUa.Browsing;

/// <summary>Whether values of two DataTypes have the same bytes and the same names: descriptions do not count.
/// </summary>
internal static class DefinitionEquality
{
    /// <summary>A definition that is not there contradicts none.</summary>
    public static bool Agree(DataTypeDefinition? one, DataTypeDefinition? other) => (one, other) switch
    {
        (null, _) or (_, null) => true,
        (StructureDefinition left, StructureDefinition right) =>
            left.StructureType == right.StructureType &&
            (left.Fields ?? []).Select(Key).SequenceEqual((right.Fields ?? []).Select(Key)),
        (EnumDefinition left, EnumDefinition right) =>
            (left.Fields ?? []).Select(Key).SequenceEqual((right.Fields ?? []).Select(Key)),
        _ => false,
    };

    private static (string?, Codec.Types.NodeId, int, bool) Key(StructureField field) =>
        (field.Name, field.DataType, field.ValueRank, field.IsOptional);

    private static (string?, long) Key(EnumField field) => (field.Name, field.Value);
}
