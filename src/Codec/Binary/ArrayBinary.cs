using Gateway.Codec.Types;

namespace Gateway.Codec.Binary;

/// <summary>Arrays of built-in types: Int32 length (−1 null) and the elements; numeric arrays in one copy.
/// Source: Part 6 §5.2.5.</summary>
internal static class ArrayBinary
{
    private const int FirstElements = 256;

    public delegate T ReadElement<T>(ref UaBinaryReader reader);

    private delegate void WriteElement<T>(ref UaBinaryWriter writer, T value);

    public static Array? Read(ref UaBinaryReader reader, BuiltInType type) => type switch
    {
        BuiltInType.Boolean => ReadEach(ref reader, 1, static (ref r) => r.ReadBoolean()),
        BuiltInType.SByte => reader.ReadBlittableArray<sbyte>(),
        BuiltInType.Byte => reader.ReadBlittableArray<byte>(),
        BuiltInType.Int16 => reader.ReadBlittableArray<short>(),
        BuiltInType.UInt16 => reader.ReadBlittableArray<ushort>(),
        BuiltInType.Int32 => reader.ReadBlittableArray<int>(),
        BuiltInType.UInt32 => reader.ReadBlittableArray<uint>(),
        BuiltInType.Int64 => reader.ReadBlittableArray<long>(),
        BuiltInType.UInt64 => reader.ReadBlittableArray<ulong>(),
        BuiltInType.Float => reader.ReadBlittableArray<float>(),
        BuiltInType.Double => reader.ReadBlittableArray<double>(),
        BuiltInType.String => ReadEach(ref reader, 4, static (ref r) => r.ReadString()),
        BuiltInType.DateTime => ReadEach(ref reader, 8, static (ref r) => r.ReadDateTime()),
        BuiltInType.Guid => reader.ReadBlittableArray<Guid>(),
        BuiltInType.ByteString => ReadEach(ref reader, 4, static (ref r) => r.ReadByteString()),
        BuiltInType.XmlElement => ReadEach(ref reader, 4, static (ref r) => r.ReadXmlElement()),
        BuiltInType.NodeId => ReadEach(ref reader, 2, static (ref r) => r.ReadNodeId()),
        BuiltInType.ExpandedNodeId => ReadEach(ref reader, 2, static (ref r) => r.ReadExpandedNodeId()),
        BuiltInType.StatusCode => reader.ReadBlittableArray<StatusCode>(),
        BuiltInType.QualifiedName => ReadEach(ref reader, 6, static (ref r) => r.ReadQualifiedName()),
        BuiltInType.LocalizedText => ReadEach(ref reader, 1, static (ref r) => r.ReadLocalizedText()),
        BuiltInType.ExtensionObject => ReadEach(ref reader, 3, static (ref r) => r.ReadExtensionObject()),
        BuiltInType.DataValue => ReadEach(ref reader, 1, static (ref r) => r.ReadDataValue()),
        BuiltInType.Variant => ReadEach(ref reader, 1, static (ref r) => r.ReadVariant()),
        _ => ReadEach(ref reader, 1, static (ref r) => r.ReadDiagnosticInfo()),
    };

    /// <summary>The CLR array is the one of the built-in type; anything else is a bug of the caller and throws.
    /// </summary>
    public static void Write(ref UaBinaryWriter writer, BuiltInType type, Array? elements)
    {
        if (elements is null)
        {
            writer.WriteInt32(-1);
            return;
        }

        switch (type)
        {
            case BuiltInType.SByte:
                writer.WriteBlittableArray((sbyte[])elements);
                break;
            case BuiltInType.Byte:
                writer.WriteBlittableArray((byte[])elements);
                break;
            case BuiltInType.Int16:
                writer.WriteBlittableArray((short[])elements);
                break;
            case BuiltInType.UInt16:
                writer.WriteBlittableArray((ushort[])elements);
                break;
            case BuiltInType.Int32:
                writer.WriteBlittableArray((int[])elements);
                break;
            case BuiltInType.UInt32:
                writer.WriteBlittableArray((uint[])elements);
                break;
            case BuiltInType.Int64:
                writer.WriteBlittableArray((long[])elements);
                break;
            case BuiltInType.UInt64:
                writer.WriteBlittableArray((ulong[])elements);
                break;
            case BuiltInType.Float:
                writer.WriteBlittableArray((float[])elements);
                break;
            case BuiltInType.Double:
                writer.WriteBlittableArray((double[])elements);
                break;
            case BuiltInType.Guid:
                writer.WriteBlittableArray((Guid[])elements);
                break;
            case BuiltInType.StatusCode:
                writer.WriteBlittableArray((StatusCode[])elements);
                break;
            default:
                WriteEach(ref writer, type, elements);
                break;
        }
    }

    private static void WriteEach(ref UaBinaryWriter writer, BuiltInType type, Array elements)
    {
        switch (type)
        {
            case BuiltInType.Boolean:
                WriteEach(ref writer, (bool[])elements, static (ref w, v) => w.WriteBoolean(v));
                break;
            case BuiltInType.String:
                WriteEach(ref writer, (string?[])elements, static (ref w, v) => w.WriteString(v));
                break;
            case BuiltInType.DateTime:
                WriteEach(ref writer, (DateTime[])elements, static (ref w, v) => w.WriteDateTime(v));
                break;
            case BuiltInType.ByteString:
                WriteEach(ref writer, (byte[]?[])elements, static (ref w, v) => w.WriteByteString(v));
                break;
            case BuiltInType.XmlElement:
                WriteEach(ref writer, (XmlElement[])elements, static (ref w, v) => w.WriteXmlElement(v));
                break;
            case BuiltInType.NodeId:
                WriteEach(ref writer, (NodeId[])elements, static (ref w, v) => w.WriteNodeId(v));
                break;
            case BuiltInType.ExpandedNodeId:
                WriteEach(ref writer, (ExpandedNodeId[])elements, static (ref w, v) => w.WriteExpandedNodeId(v));
                break;
            case BuiltInType.QualifiedName:
                WriteEach(ref writer, (QualifiedName[])elements, static (ref w, v) => w.WriteQualifiedName(v));
                break;
            case BuiltInType.LocalizedText:
                WriteEach(ref writer, (LocalizedText[])elements, static (ref w, v) => w.WriteLocalizedText(v));
                break;
            case BuiltInType.ExtensionObject:
                WriteEach(ref writer, (ExtensionObject[])elements, static (ref w, v) => w.WriteExtensionObject(v));
                break;
            case BuiltInType.DataValue:
                WriteEach(ref writer, (DataValue[])elements, static (ref w, v) => w.WriteDataValue(v));
                break;
            case BuiltInType.Variant:
                WriteEach(ref writer, (Variant[])elements, static (ref w, v) => w.WriteVariant(v));
                break;
            default:
                WriteEach(ref writer, (DiagnosticInfo?[])elements, static (ref w, v) => w.WriteDiagnosticInfo(v));
                break;
        }
    }

    /// <summary>Charged whole before it is made. Grows with the bytes that have arrived: a declared length by itself
    /// costs at most the first elements, also where an element takes far more memory than bytes (R02). A sixth is
    /// copied and left behind.</summary>
    public static T[]? ReadEach<T>(ref UaBinaryReader reader, int minimumBytes, ReadElement<T> read)
    {
        var length = reader.ReadArrayLength(minimumBytes);
        if (length < 0 || !reader.TryCharge(DecodedSize.OfArray<T>(length)))
            return null;
        var values = new T[Math.Min(length, FirstElements)];
        for (var i = 0; i < length && !reader.Failed; i++)
        {
            if (i == values.Length)
                Array.Resize(ref values, NextSize(i, length));
            values[i] = read(ref reader);
        }

        return values;
    }

    /// <summary>The whole length, or as many eighths of an eighth of it as just exceed the present size.</summary>
    private static int NextSize(int count, int length)
    {
        while (length / 8 > count)
            length /= 8;
        return length;
    }

    private static void WriteEach<T>(ref UaBinaryWriter writer, T[] values, WriteElement<T> write)
    {
        writer.WriteInt32(values.Length);
        foreach (var value in values)
            write(ref writer, value);
    }
}
