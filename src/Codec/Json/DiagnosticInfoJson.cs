using System.Text.Json;
using Gateway.Codec.Binary;
using Gateway.Codec.Types;

namespace Gateway.Codec.Json;

/// <summary>DiagnosticInfo: an object with the present fields. Source: Part 6 §5.4.2.13.</summary>
internal static class DiagnosticInfoJson
{
    private static readonly byte[][] Members =
    [
        "SymbolicId"u8.ToArray(), "NamespaceUri"u8.ToArray(), "Locale"u8.ToArray(), "LocalizedText"u8.ToArray(),
        "AdditionalInfo"u8.ToArray(), "InnerStatusCode"u8.ToArray(), "InnerDiagnosticInfo"u8.ToArray(),
    ];

    public static void Write(UaJsonWriter writer, DiagnosticInfo? value)
    {
        if (value is null || !writer.TryEnter())
        {
            writer.WriteNull();
            return;
        }

        writer.StartObject();
        WriteIndex(writer, JsonNames.SymbolicId, value.SymbolicId);
        WriteIndex(writer, JsonNames.NamespaceUri, value.NamespaceUri);
        WriteIndex(writer, JsonNames.Locale, value.Locale);
        WriteIndex(writer, JsonNames.LocalizedText, value.LocalizedText);
        if (value.AdditionalInfo is not null)
            WriteAdditionalInfo(writer, new JsonText(value.AdditionalInfo));
        WriteInnerStatus(writer, value.InnerStatusCode.GetValueOrDefault());
        if (value.InnerDiagnosticInfo is not null)
        {
            writer.Json.WritePropertyName(JsonNames.InnerDiagnosticInfo);
            Write(writer, value.InnerDiagnosticInfo);
        }

        writer.EndObject();
        writer.Leave();
    }

    public static void WriteIndex(UaJsonWriter writer, JsonEncodedText name, int index)
    {
        if (index >= 0)
            writer.Json.WriteNumber(name, index);
    }

    public static void WriteAdditionalInfo(UaJsonWriter writer, scoped JsonText text)
    {
        writer.Json.WritePropertyName(JsonNames.AdditionalInfo);
        text.WriteTo(writer);
    }

    /// <summary>Good is the default and left out (Part 6 §H.4).</summary>
    public static void WriteInnerStatus(UaJsonWriter writer, StatusCode status)
    {
        if (status.Code == 0)
            return;
        writer.Json.WritePropertyName(JsonNames.InnerStatusCode);
        writer.WriteStatusCode(status);
    }

    public static DiagnosticInfo? Read(ref UaJsonReader reader)
    {
        if (reader.IsNull || !reader.BeginObject() || !reader.TryEnter() ||
            !reader.TryCharge(DecodedSize.DiagnosticInfo))
            return null;
        Span<int> indexes = [-1, -1, -1, -1];
        string? additional = null;
        StatusCode? status = null;
        DiagnosticInfo? inner = null;
        var seen = 0UL;
        while (reader.NextMember(Members, ref seen, out var member))
        {
            switch (member)
            {
                case 4:
                    additional = reader.ReadString();
                    break;
                case 5:
                    status = reader.IsNull ? null : reader.ReadStatusCode();
                    break;
                case 6:
                    inner = Read(ref reader);
                    break;
                default:
                    indexes[member] = reader.ReadInt32();
                    break;
            }
        }

        reader.Leave();
        return seen == 0 ? null : new DiagnosticInfo
        {
            SymbolicId = indexes[0],
            NamespaceUri = indexes[1],
            Locale = indexes[2],
            LocalizedText = indexes[3],
            AdditionalInfo = additional,
            InnerStatusCode = status,
            InnerDiagnosticInfo = inner,
        };
    }
}
