using Gateway.Codec.Types;

namespace Gateway.Codec.Binary;

/// <summary>Arrays inside a Variant: Int32 length (−1 null) and the elements; numeric arrays in one copy.
/// Source: Part 6 §5.2.5.</summary>
internal static class VariantArrayBinary
{
    private delegate T ReadElement<T>(ref UaBinaryReader reader);

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

    public static void Write(ref UaBinaryWriter writer, BuiltInType type, Array? elements)
    {
        switch (elements)
        {
            case null:
                writer.WriteInt32(-1);
                break;
            case bool[] values:
                WriteEach(ref writer, values, static (ref w, v) => w.WriteBoolean(v));
                break;
            case byte[] values:
                writer.WriteBlittableArray<byte>(values);
                break;
            case short[] or ushort[] or int[] or uint[] or long[] or ulong[] or float[] or double[] or Guid[]
                or StatusCode[] or sbyte[]:
                WriteBlittable(ref writer, elements);
                break;
            case string?[] values:
                WriteEach(ref writer, values, static (ref w, v) => w.WriteString(v));
                break;
            case DateTime[] values:
                WriteEach(ref writer, values, static (ref w, v) => w.WriteDateTime(v));
                break;
            case byte[]?[] values:
                WriteEach(ref writer, values, static (ref w, v) => w.WriteByteString(v));
                break;
            default:
                WriteComposite(ref writer, type, elements);
                break;
        }
    }

    private static void WriteBlittable(ref UaBinaryWriter writer, Array elements)
    {
        switch (elements)
        {
            // The CLR matches sbyte[] as byte[] and so on for signs: order does not matter, the bytes are the same.
            case ushort[] values:
                writer.WriteBlittableArray<ushort>(values);
                break;
            case uint[] values:
                writer.WriteBlittableArray<uint>(values);
                break;
            case ulong[] values:
                writer.WriteBlittableArray<ulong>(values);
                break;
            case float[] values:
                writer.WriteBlittableArray<float>(values);
                break;
            case double[] values:
                writer.WriteBlittableArray<double>(values);
                break;
            case Guid[] values:
                writer.WriteBlittableArray<Guid>(values);
                break;
            case StatusCode[] values:
                writer.WriteBlittableArray<StatusCode>(values);
                break;
        }
    }

    private static void WriteComposite(ref UaBinaryWriter writer, BuiltInType type, Array elements)
    {
        switch (elements)
        {
            case XmlElement[] values:
                WriteEach(ref writer, values, static (ref w, v) => w.WriteString(v.Value));
                break;
            case NodeId[] values:
                WriteEach(ref writer, values, static (ref w, v) => w.WriteNodeId(v));
                break;
            case ExpandedNodeId[] values:
                WriteEach(ref writer, values, static (ref w, v) => w.WriteExpandedNodeId(v));
                break;
            case QualifiedName[] values:
                WriteEach(ref writer, values, static (ref w, v) => w.WriteQualifiedName(v));
                break;
            case LocalizedText[] values:
                WriteEach(ref writer, values, static (ref w, v) => w.WriteLocalizedText(v));
                break;
            case ExtensionObject[] values:
                WriteEach(ref writer, values, static (ref w, v) => w.WriteExtensionObject(v));
                break;
            case DataValue[] values:
                WriteEach(ref writer, values, static (ref w, v) => w.WriteDataValue(v));
                break;
            case Variant[] values:
                WriteEach(ref writer, values, static (ref w, v) => w.WriteVariant(v));
                break;
            case DiagnosticInfo?[] values:
                WriteEach(ref writer, values, static (ref w, v) => w.WriteDiagnosticInfo(v));
                break;
            default:
                System.Diagnostics.Debug.Fail($"no array of {type} is a {elements.GetType()}");
                writer.WriteInt32(-1);
                break;
        }
    }

    private static T[]? ReadEach<T>(ref UaBinaryReader reader, int minimumBytes, ReadElement<T> read)
    {
        var length = reader.ReadArrayLength(minimumBytes);
        if (length < 0)
            return null;
        var values = new T[length];
        for (var i = 0; i < values.Length && !reader.Failed; i++)
            values[i] = read(ref reader);
        return values;
    }

    private static void WriteEach<T>(ref UaBinaryWriter writer, T[] values, WriteElement<T> write)
    {
        writer.WriteInt32(values.Length);
        foreach (var value in values)
            write(ref writer, value);
    }
}
