using System.Buffers.Binary;
using Gateway.Codec.Binary;
using Gateway.Codec.Types;

namespace Gateway.Client.Subscriptions;

/// <summary>A DataValue whose Variant is still the bytes that arrived; valid as long as the message.</summary>
public readonly ref struct RawDataValue
{
    /// <summary>Encoding byte and value; empty where the DataValue has none.</summary>
    public ReadOnlySpan<byte> EncodedVariant { get; init; }

    public StatusCode Status { get; init; }

    public DateTime SourceTimestamp { get; init; }

    public DateTime ServerTimestamp { get; init; }

    public ushort SourcePicoseconds { get; init; }

    public BuiltInType Type => EncodedVariant.IsEmpty ? BuiltInType.Null : (BuiltInType)(EncodedVariant[0] & 0x3F);

    public bool TryGetDouble(out double value)
    {
        value = 0;
        if (EncodedVariant.Length != 9 || EncodedVariant[0] != (byte)BuiltInType.Double)
            return false;
        value = BinaryPrimitives.ReadDoubleLittleEndian(EncodedVariant[1..]);
        return true;
    }

    public Variant ToVariant() =>
        EncodedVariant.IsEmpty
            ? default
            : new UaBinaryReader(EncodedVariant, DecodingLimits.PassThrough).ReadVariant();

    public DataValue ToDataValue() =>
        new(ToVariant(), Status, SourceTimestamp, ServerTimestamp, SourcePicoseconds);

    /// <summary>Reads a DataValue in place (mask byte, then the present fields: Part 6 §5.2.2.17).</summary>
    public static RawDataValue Read(scoped ref UaBinaryReader reader)
    {
        var mask = reader.ReadByte();
        var start = reader.Position;
        if ((mask & 0x01) != 0)
            EncodedVariantReader.Skip(ref reader);
        var end = reader.Position;
        var status = (mask & 0x02) != 0 ? reader.ReadStatusCode() : default;
        var source = (mask & 0x04) != 0 ? reader.ReadDateTime() : default;
        var picoseconds = (mask & 0x10) != 0 ? reader.ReadUInt16() : default;
        var server = (mask & 0x08) != 0 ? reader.ReadDateTime() : default;
        if ((mask & 0x20) != 0)
            reader.ReadUInt16();
        return reader.Failed ? default : new RawDataValue
        {
            EncodedVariant = reader.Slice(start, end),
            Status = status,
            SourceTimestamp = source,
            ServerTimestamp = server,
            SourcePicoseconds = picoseconds,
        };
    }
}
