using Gateway.Codec.Json.Definitions;
using Gateway.Codec.Types;

namespace Gateway.Codec.Json;

/// <summary>The JSON of one structured DataType, for values without a CLR class: writes UA Binary as JSON, and reads
/// JSON. Threads: any. Source: Part 6 §5.4.2.16, §5.4.6.</summary>
public interface IJsonStructureType
{
    /// <summary>The id of the DataType, not of an encoding.</summary>
    NodeId DataTypeId { get; }

    /// <summary>Writes a structure that is still UA Binary. False: the bytes are no structure of this type, and nothing
    /// was written.</summary>
    bool TryWrite(UaJsonWriter writer, ReadOnlySpan<byte> body);

    /// <summary>Reads the structure that the reader stands on. Errors: the reader's status.</summary>
    ExtensionObject Read(ref UaJsonReader reader);

    /// <summary>The same structure, still in UA Binary, with other ids in it. False: the bytes are no structure of this
    /// type, or it is a declared one, which is mapped as an object.</summary>
    bool TryMap(ReadOnlySpan<byte> body, IContentMapper mapper, out byte[] mapped)
    {
        mapped = [];
        return false;
    }
}
