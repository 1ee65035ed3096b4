using Gateway.Codec.Binary;

namespace Gateway.Codec.Structures;

/// <summary>A structured DataType or service message. The members are generated from the declaration.</summary>
public interface IStructure
{
    /// <summary>Numeric id (namespace 0) of the DataType.</summary>
    uint DataTypeId { get; }

    /// <summary>Numeric id (namespace 0) of the Default Binary encoding.</summary>
    uint BinaryEncodingId { get; }

    void Encode(ref UaBinaryWriter writer);
}
