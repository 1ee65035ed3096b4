using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.Codec.Json;

/// <summary>One structured DataType in JSON. Braces and <c>UaTypeId</c> are the codec's, the fields are its own.
/// Threads: any. Source: Part 6 §5.4.2.16, §5.4.6.</summary>
public interface IJsonStructure
{
    /// <summary>The id of the DataType, not of an encoding.</summary>
    NodeId DataTypeId { get; }

    /// <summary>Writes the fields of a decoded structure.</summary>
    void WriteFields(UaJsonWriter writer, IStructure body);

    /// <summary>Whether the bytes are one whole structure of this type in UA Binary.</summary>
    bool IsValid(ReadOnlySpan<byte> body);

    /// <summary>Writes the fields of a structure that is still UA Binary; only of bytes that are valid.</summary>
    void WriteFields(UaJsonWriter writer, ReadOnlySpan<byte> body);

    /// <summary>Reads the object that the reader stands on; skips the members <c>UaTypeId</c> and <c>TypeId</c>.
    /// Errors: the reader's status.</summary>
    ExtensionObject Read(ref UaJsonReader reader);
}
