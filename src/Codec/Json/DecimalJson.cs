using System.Buffers.Binary;
using System.Globalization;
using System.Numerics;
using Gateway.Codec.Types;

namespace Gateway.Codec.Json;

/// <summary>Decimal, whose layout no definition has: <c>Scale</c> and the unscaled integer as a string, <c>Value</c>.
/// UA Binary: an Int16, then the integer in two's complement, the least byte first; the DataType's own id stands for
/// the encoding. One that is longer than <see cref="MaxValueBytes"/> stays bytes.
/// Source: Part 6 §5.1.10, §5.4.3.</summary>
internal sealed class DecimalJson() : DeclaredStructure(DecimalId, DecimalId)
{
    private const uint DecimalId = 50;

    /// <summary>2,048 bits. The text of a number takes time by the square of its length.</summary>
    private const int MaxValueBytes = 256;

    /// <summary>Digits of a number of that many bytes, with a sign.</summary>
    private const int MaxDigits = 618;

    private static readonly byte[][] Members = ["Scale"u8.ToArray(), "Value"u8.ToArray()];

    public override bool TryWrite(UaJsonWriter writer, ReadOnlySpan<byte> body)
    {
        if (body.Length is < sizeof(short) or > sizeof(short) + MaxValueBytes)
            return false;
        var value = new BigInteger(body[sizeof(short)..]);
        writer.BeginStructure();
        writer.Json.WriteNumber("Scale"u8, (int)BinaryPrimitives.ReadInt16LittleEndian(body));
        writer.Json.WriteString("Value"u8, value.ToString(CultureInfo.InvariantCulture));
        writer.EndObject();
        return true;
    }

    public override ExtensionObject Read(ref UaJsonReader reader)
    {
        short scale = 0;
        var value = BigInteger.Zero;
        var seen = 0UL;
        reader.BeginObject();
        while (reader.NextField(Members, ref seen, out var member))
        {
            if (member == 0)
                scale = reader.ReadInt16();
            else if (!reader.IsString || reader.ReadString() is not { Length: <= MaxDigits } text ||
                !BigInteger.TryParse(text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out value))
                reader.Expected("an integer as a string");
        }

        var body = new byte[sizeof(short) + value.GetByteCount()];
        BinaryPrimitives.WriteInt16LittleEndian(body, scale);
        value.TryWriteBytes(body.AsSpan(sizeof(short)), out _);
        return reader.Failed ? default : new ExtensionObject(DataTypeId, body);
    }
}
