using System.Collections.Frozen;
using System.Diagnostics.CodeAnalysis;

namespace Gateway.Codec.Structures;

/// <summary>Finds a structure by its DataType, or by the id of an encoding. The generated half fills the table.
/// </summary>
public static partial class StructureRegistry
{
    private static readonly StructureEntry[] Entries = Register();

    private static readonly FrozenDictionary<uint, StructureEntry> ByDataType =
        Entries.ToFrozenDictionary(static entry => entry.DataTypeId);

    private static readonly FrozenDictionary<uint, StructureEntry> ByBinaryEncoding =
        Entries.ToFrozenDictionary(static entry => entry.BinaryEncodingId);

    public static IReadOnlyList<StructureEntry> All => Entries;

    public static bool TryGet(uint dataTypeId, [NotNullWhen(true)] out StructureEntry? entry) =>
        ByDataType.TryGetValue(dataTypeId, out entry);

    public static bool TryGetByBinaryEncoding(uint encodingId, [NotNullWhen(true)] out StructureEntry? entry) =>
        ByBinaryEncoding.TryGetValue(encodingId, out entry);

    // Generated: one line for each structure, ordered by DataType.
    private static partial StructureEntry[] Register();
}
