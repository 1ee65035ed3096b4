namespace Gateway.StructureGenerator.Model;

/// <summary>Which fields a value has: all, those that a mask names, or the one that a switch names. Source: Part 6
/// §5.2.6–5.2.8.</summary>
internal enum StructureKind
{
    Structure,
    OptionalFields,
    Union,
}
