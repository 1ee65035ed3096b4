using Gateway.Codec.Binary;
using Gateway.Codec.Types;

namespace Gateway.Codec.Json;

/// <summary>A declared structure by its ids. Bytes are decoded before they are written: the object is checked by the
/// same code as every other one, and writing from the bytes would take a third emitter.</summary>
internal abstract class DeclaredStructure(uint dataTypeId, uint binaryEncodingId) : IJsonStructureType
{
    public NodeId DataTypeId { get; } = new(dataTypeId);

    public NodeId BinaryEncodingId { get; } = new(binaryEncodingId);

    public abstract bool TryWrite(UaJsonWriter writer, ReadOnlySpan<byte> body);

    public abstract ExtensionObject Read(ref UaJsonReader reader);

    /// <typeparam name="T">The declaration.</typeparam>
    internal sealed class Of<T>(uint dataTypeId, uint binaryEncodingId)
        : DeclaredStructure(dataTypeId, binaryEncodingId)
        where T : IJsonStructure<T>, new()
    {
        public override bool TryWrite(UaJsonWriter writer, ReadOnlySpan<byte> body)
        {
            var reader = new UaBinaryReader(body);
            var value = reader.ReadBody<T>();
            if (reader.Failed)
                return false;
            value.Encode(writer);
            return true;
        }

        public override ExtensionObject Read(ref UaJsonReader reader) => new(reader.ReadBody<T>());
    }
}
