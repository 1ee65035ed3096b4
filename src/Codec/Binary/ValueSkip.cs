using Gateway.Codec.Types;

namespace Gateway.Codec.Binary;

/// <summary>Steps over values in UA Binary that are as strictly checked as read ones, without making objects: text,
/// lengths, depth, dimensions. The bodies of ExtensionObjects are not looked into. Errors: the reader's status.
/// Source: Part 6 §5.2.2.</summary>
internal static class ValueSkip
{
    public static void Variant(ref UaBinaryReader reader)
    {
        if (!reader.TryEnter())
            return;
        var encoding = reader.ReadByte();
        var type = VariantBinary.TypeOf(encoding);
        var isArray = (encoding & VariantBinary.ArrayFlag) != 0;
        var hasDimensions = (encoding & VariantBinary.DimensionsFlag) != 0;
        if ((encoding & 0x3F) > 31 || (isArray
            ? type == BuiltInType.Null
            : hasDimensions || type == BuiltInType.Variant))
            reader.Fail(StatusCodes.BadDecodingError);
        else if (isArray)
            Array(ref reader, type, hasDimensions);
        else
            Value(ref reader, type);
        reader.Leave();
    }

    public static void DataValue(ref UaBinaryReader reader)
    {
        if (!reader.TryEnter())
            return;
        var mask = reader.ReadByte();
        if ((mask & DataValueBinary.HasValue) != 0)
            Variant(ref reader);
        SkipIf(ref reader, (mask & DataValueBinary.HasStatus) != 0, 4);
        SkipIf(ref reader, (mask & DataValueBinary.HasSourceTimestamp) != 0, 8);
        SkipIf(ref reader, (mask & DataValueBinary.HasSourcePicoseconds) != 0, 2);
        SkipIf(ref reader, (mask & DataValueBinary.HasServerTimestamp) != 0, 8);
        SkipIf(ref reader, (mask & DataValueBinary.HasServerPicoseconds) != 0, 2);
        reader.Leave();
    }

    /// <summary>The elements of an array, from its length on. Returns how many, −1 for null.</summary>
    public static int Elements(ref UaBinaryReader reader, BuiltInType type)
    {
        var fixedBytes = FixedBytes(type);
        if (fixedBytes > 0)
        {
            reader.ReadBlittableArray(fixedBytes, out var count);
            return count;
        }

        var length = reader.ReadArrayLength(MinimumBytes(type));
        for (var i = 0; i < length && !reader.Failed; i++)
            Value(ref reader, type);
        return length;
    }

    public static void Value(ref UaBinaryReader reader, BuiltInType type)
    {
        switch (type)
        {
            case BuiltInType.Null:
                break;
            case BuiltInType.String or BuiltInType.XmlElement:
                reader.SkipString();
                break;
            case BuiltInType.ByteString:
                reader.ReadByteStringSpan();
                break;
            case BuiltInType.NodeId:
                NodeId(ref reader, reader.ReadByte());
                break;
            case BuiltInType.ExpandedNodeId:
                ExpandedNodeId(ref reader);
                break;
            case BuiltInType.QualifiedName:
                reader.Skip(sizeof(ushort));
                reader.SkipString();
                break;
            case BuiltInType.LocalizedText:
                LocalizedText(ref reader);
                break;
            case BuiltInType.ExtensionObject:
                ExtensionObject(ref reader);
                break;
            case BuiltInType.DataValue:
                DataValue(ref reader);
                break;
            case BuiltInType.Variant:
                Variant(ref reader);
                break;
            case BuiltInType.DiagnosticInfo:
                DiagnosticInfo(ref reader);
                break;
            default:
                reader.Skip(FixedBytes(type));
                break;
        }
    }

    private static void Array(ref UaBinaryReader reader, BuiltInType type, bool hasDimensions)
    {
        var count = Elements(ref reader, type);
        if (!hasDimensions)
            return;
        var dimensions = VariantBinary.ReadDimensions(ref reader);
        if (reader.Failed || dimensions.Length == 0)
            return;
        if (dimensions.Length > VariantBinary.MaxDimensions)
            reader.Fail(StatusCodes.BadEncodingLimitsExceeded);
        else if (VariantBinary.Product(dimensions) != Math.Max(count, 0))
            reader.Fail(StatusCodes.BadDecodingError);
    }

    private static void NodeId(ref UaBinaryReader reader, int encoding)
    {
        reader.Skip(encoding switch { 0 => 1, 1 => 3, 2 => 6, 4 => 18, _ => 2 });
        if (encoding == 3)
            reader.SkipString();
        else if (encoding == 5)
            reader.ReadByteStringSpan();
        else if (encoding > 5)
            reader.Fail(StatusCodes.BadDecodingError);
    }

    private static void ExpandedNodeId(ref UaBinaryReader reader)
    {
        var encoding = reader.ReadByte();
        NodeId(ref reader, encoding & 0x3F);
        if ((encoding & NodeIdBinary.NamespaceUriFlag) != 0)
            reader.SkipString();
        SkipIf(ref reader, (encoding & NodeIdBinary.ServerIndexFlag) != 0, sizeof(uint));
    }

    private static void LocalizedText(ref UaBinaryReader reader)
    {
        var mask = reader.ReadByte();
        if ((mask & 0x01) != 0)
            reader.SkipString();
        if ((mask & 0x02) != 0)
            reader.SkipString();
    }

    private static void ExtensionObject(ref UaBinaryReader reader)
    {
        NodeId(ref reader, reader.ReadByte());
        switch (reader.ReadByte())
        {
            case 0:
                break;
            case 1:
                reader.ReadByteStringSpan();
                break;
            case 2:
                reader.SkipString();
                break;
            default:
                reader.Fail(StatusCodes.BadDecodingError);
                break;
        }
    }

    private static void DiagnosticInfo(ref UaBinaryReader reader)
    {
        if (!reader.TryEnter())
            return;
        var mask = reader.ReadByte();
        for (var bit = 0x01; bit <= 0x08; bit <<= 1)
            SkipIf(ref reader, (mask & bit) != 0, sizeof(int));
        if ((mask & 0x10) != 0)
            reader.SkipString();
        SkipIf(ref reader, (mask & 0x20) != 0, sizeof(uint));
        if ((mask & 0x40) != 0)
            DiagnosticInfo(ref reader);
        reader.Leave();
    }

    private static void SkipIf(ref UaBinaryReader reader, bool isPresent, int bytes)
    {
        if (isPresent)
            reader.Skip(bytes);
    }

    /// <summary>0: the size is in the bytes.</summary>
    internal static int FixedBytes(BuiltInType type) => type switch
    {
        BuiltInType.Boolean or BuiltInType.SByte or BuiltInType.Byte => 1,
        BuiltInType.Int16 or BuiltInType.UInt16 => 2,
        BuiltInType.Int32 or BuiltInType.UInt32 or BuiltInType.Float or BuiltInType.StatusCode => 4,
        BuiltInType.Int64 or BuiltInType.UInt64 or BuiltInType.Double or BuiltInType.DateTime => 8,
        BuiltInType.Guid => 16,
        _ => 0,
    };

    private static int MinimumBytes(BuiltInType type) => type switch
    {
        BuiltInType.String or BuiltInType.ByteString or BuiltInType.XmlElement => 4,
        BuiltInType.NodeId or BuiltInType.ExpandedNodeId => 2,
        BuiltInType.QualifiedName => 6,
        BuiltInType.ExtensionObject => 3,
        _ => 1,
    };
}
