using Gateway.Codec.Types;

namespace Gateway.Codec.Json;

/// <summary>
/// DataValue: the members of its Variant and <c>Status, SourceTimestamp, SourcePicoseconds, ServerTimestamp,
/// ServerPicoseconds</c>, each only where it is not the default; deprecated: the Variant is the member <c>Value</c>.
/// Source: Part 6 §5.4.2.18, §H.8.
/// </summary>
internal static class DataValueJson
{
    private static readonly byte[][] Members =
    [
        "UaType"u8.ToArray(), "Value"u8.ToArray(), "Dimensions"u8.ToArray(),
        "Status"u8.ToArray(), "SourceTimestamp"u8.ToArray(), "SourcePicoseconds"u8.ToArray(),
        "ServerTimestamp"u8.ToArray(), "ServerPicoseconds"u8.ToArray(),
        "StatusCode"u8.ToArray(), "SourcePicoSeconds"u8.ToArray(), "ServerPicoSeconds"u8.ToArray(),
    ];

    public static void Write(UaJsonWriter writer, in DataValue value)
    {
        if (IsNull(value) || !writer.TryEnter())
        {
            writer.WriteNull();
            return;
        }

        writer.StartObject();
        if (!value.Value.IsNull)
        {
            if (writer.Format.IsDeprecated)
            {
                writer.Json.WritePropertyName(JsonNames.Value);
                VariantJson.Write(writer, value.Value);
            }
            else
            {
                VariantJson.WriteMembers(writer, value.Value);
            }
        }

        WriteQuality(writer, value);
        writer.EndObject();
        writer.Leave();
    }

    public static bool IsNull(in DataValue value) => value.Value.IsNull && IsDefault(value);

    /// <summary>Whether everything beside the value is the default.</summary>
    public static bool IsDefault(in DataValue value) =>
        value.Status.Code == 0 && value.SourceTimestamp == default && value.ServerTimestamp == default;

    /// <summary>Everything beside the value; picoseconds, as in UA Binary, only beside their time.</summary>
    public static void WriteQuality(UaJsonWriter writer, in DataValue value)
    {
        var json = writer.Json;
        if (value.Status.Code != 0)
        {
            json.WritePropertyName(writer.Format.CallsStatusStatusCode ? JsonNames.StatusCode : JsonNames.Status);
            writer.WriteStatusCode(value.Status);
        }

        if (value.SourceTimestamp != default)
        {
            json.WritePropertyName(JsonNames.SourceTimestamp);
            writer.WriteDateTime(value.SourceTimestamp);
            if (value.SourcePicoseconds != 0)
                json.WriteNumber(JsonNames.SourcePicoseconds, (int)value.SourcePicoseconds);
        }

        if (value.ServerTimestamp != default)
        {
            json.WritePropertyName(JsonNames.ServerTimestamp);
            writer.WriteDateTime(value.ServerTimestamp);
            if (value.ServerPicoseconds != 0)
                json.WriteNumber(JsonNames.ServerPicoseconds, (int)value.ServerPicoseconds);
        }
    }

    public static DataValue Read(ref UaJsonReader reader)
    {
        if (reader.IsNull || !reader.BeginObject() || !reader.TryEnter())
            return default;
        var variant = new VariantMembers();
        StatusCode status = default;
        DateTime source = default, server = default;
        ushort sourcePs = 0, serverPs = 0;
        var seen = 0UL;
        while (reader.NextMember(Members, ref seen, out var member))
        {
            switch (member)
            {
                case 0:
                    variant.ReadType(ref reader);
                    break;
                case 1:
                    variant.ReadValue(ref reader);
                    break;
                case 2:
                    variant.ReadDimensions(ref reader);
                    break;
                case 3 or 8:
                    status = reader.IsNull ? default : reader.ReadStatusCode();
                    break;
                case 4:
                    source = reader.ReadDateTime();
                    break;
                case 6:
                    server = reader.ReadDateTime();
                    break;
                case 5 or 9:
                    sourcePs = reader.ReadUInt16();
                    break;
                default:
                    serverPs = reader.ReadUInt16();
                    break;
            }
        }

        if (IsTwice(seen))
            reader.Expected("each member once");
        var value = variant.Finish(ref reader, isDataValue: true);
        reader.Leave();
        return reader.Failed ? default : new DataValue(value, status, source, server, sourcePs, serverPs);
    }

    /// <summary>A member under both of its names.</summary>
    private static bool IsTwice(ulong seen) =>
        (seen & 0x108) == 0x108 || (seen & 0x220) == 0x220 || (seen & 0x480) == 0x480;
}
