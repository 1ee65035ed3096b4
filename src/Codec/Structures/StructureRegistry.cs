using System.Collections.Frozen;
using System.Diagnostics.CodeAnalysis;
using Gateway.Codec.Binary;

namespace Gateway.Codec.Structures;

/// <summary>Finds a structure's reader by its binary encoding id. The generated half fills the table.</summary>
public static partial class StructureRegistry
{
    public delegate IStructure DecodeStructure(ref UaBinaryReader reader);

    private static readonly FrozenDictionary<uint, DecodeStructure> Decoders = Register().ToFrozenDictionary();

    public static bool TryGetDecoder(uint binaryEncodingId, [NotNullWhen(true)] out DecodeStructure? decode) =>
        Decoders.TryGetValue(binaryEncodingId, out decode);

    // Generated: one line a structure, [id] = static (ref UaBinaryReader reader) => reader.ReadBody<T>().
    private static partial Dictionary<uint, DecodeStructure> Register();
}
