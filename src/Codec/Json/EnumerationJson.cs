using System.Globalization;
using System.Runtime.CompilerServices;
using System.Text.Json;

namespace Gateway.Codec.Json;

/// <summary>Enumerations: numbers; in Verbose and NonReversible <c>Name_Value</c>. An enumeration of another type than
/// Int32 is an OptionSet: a number of its type. The reader ignores the name. Source: Part 6 §5.4.4, Part 3 §8.40.
/// </summary>
internal static class EnumerationJson
{
    public static void Write<T>(UaJsonWriter writer, T value)
        where T : struct, Enum
    {
        switch (Type.GetTypeCode(typeof(T)))
        {
            case TypeCode.Int32:
                var name = writer.Format.OmitsDefaults ? null : Enum.GetName(value);
                writer.WriteEnumeration(Unsafe.BitCast<T, int>(value), name);
                break;
            case TypeCode.Byte:
                writer.WriteByte(Unsafe.BitCast<T, byte>(value));
                break;
            case TypeCode.SByte:
                writer.WriteSByte(Unsafe.BitCast<T, sbyte>(value));
                break;
            case TypeCode.Int16:
                writer.WriteInt16(Unsafe.BitCast<T, short>(value));
                break;
            case TypeCode.UInt16:
                writer.WriteUInt16(Unsafe.BitCast<T, ushort>(value));
                break;
            case TypeCode.UInt32:
                writer.WriteUInt32(Unsafe.BitCast<T, uint>(value));
                break;
            case TypeCode.Int64:
                writer.WriteInt64(Unsafe.BitCast<T, long>(value));
                break;
            default:
                writer.WriteUInt64(Unsafe.BitCast<T, ulong>(value));
                break;
        }
    }

    public static void WriteNumber(UaJsonWriter writer, int value, string? name)
    {
        if (writer.Format.OmitsDefaults)
        {
            writer.Json.WriteNumberValue(value);
            return;
        }

        using var text = new Utf8Builder(stackalloc byte[64]);
        if (!string.IsNullOrEmpty(name))
        {
            text.Append(new JsonText(name));
            text.Append("_"u8);
        }

        Span<byte> number = stackalloc byte[11];
        value.TryFormat(number, out var length, provider: CultureInfo.InvariantCulture);
        text.Append(number[..length]);
        writer.Json.WriteStringValue(text.Written);
    }

    public static T Read<T>(ref UaJsonReader reader)
        where T : struct, Enum => Type.GetTypeCode(typeof(T)) switch
        {
            TypeCode.Int32 => Unsafe.BitCast<int, T>(ReadNumber(ref reader)),
            TypeCode.Byte => Unsafe.BitCast<byte, T>(reader.ReadByte()),
            TypeCode.SByte => Unsafe.BitCast<sbyte, T>(reader.ReadSByte()),
            TypeCode.Int16 => Unsafe.BitCast<short, T>(reader.ReadInt16()),
            TypeCode.UInt16 => Unsafe.BitCast<ushort, T>(reader.ReadUInt16()),
            TypeCode.UInt32 => Unsafe.BitCast<uint, T>(reader.ReadUInt32()),
            TypeCode.Int64 => Unsafe.BitCast<long, T>(reader.ReadInt64()),
            _ => Unsafe.BitCast<ulong, T>(reader.ReadUInt64()),
        };

    /// <summary>A number, or a text that ends with it.</summary>
    public static int ReadNumber(ref UaJsonReader reader)
    {
        if (reader.Here.TokenType != JsonTokenType.String)
            return reader.ReadInt32();
        if (!reader.TryReadText("an enumeration", out var text))
            return 0;
        var number = text.AsSpan(text.LastIndexOf('_') + 1);
        if (int.TryParse(number, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out var value))
            return value;
        reader.Expected("a number, or a text Name_Number");
        return 0;
    }
}
