using Gateway.Codec.Types;

namespace Gateway.Codec.Binary;

/// <summary>DiagnosticInfo: mask byte (1 symbolic id, 2 namespace, 4 text, 8 locale, 0x10 additional info, 0x20 inner
/// status, 0x40 inner info), then the present fields in the order symbolic id, namespace, locale, text, …
/// Source: Part 6 §5.2.2.12.</summary>
internal static class DiagnosticInfoBinary
{
    public static DiagnosticInfo? Read(ref UaBinaryReader reader)
    {
        if (!reader.TryEnter())
            return null;
        var mask = reader.ReadByte();
        var value = mask == 0 || !reader.TryCharge(DecodedSize.DiagnosticInfo) ? null : new DiagnosticInfo
        {
            SymbolicId = (mask & 0x01) != 0 ? reader.ReadInt32() : -1,
            NamespaceUri = (mask & 0x02) != 0 ? reader.ReadInt32() : -1,
            Locale = (mask & 0x08) != 0 ? reader.ReadInt32() : -1,
            LocalizedText = (mask & 0x04) != 0 ? reader.ReadInt32() : -1,
            AdditionalInfo = (mask & 0x10) != 0 ? reader.ReadString() : null,
            InnerStatusCode = (mask & 0x20) != 0 ? reader.ReadStatusCode() : null,
            InnerDiagnosticInfo = (mask & 0x40) != 0 ? Read(ref reader) : null,
        };
        reader.Leave();
        return value;
    }

    public static void Write(ref UaBinaryWriter writer, DiagnosticInfo? value)
    {
        if (value is null)
        {
            writer.WriteByte(0);
            return;
        }

        var mask = (value.SymbolicId >= 0 ? 0x01 : 0) | (value.NamespaceUri >= 0 ? 0x02 : 0) |
            (value.LocalizedText >= 0 ? 0x04 : 0) | (value.Locale >= 0 ? 0x08 : 0) |
            (value.AdditionalInfo is not null ? 0x10 : 0) | (value.InnerStatusCode is not null ? 0x20 : 0) |
            (value.InnerDiagnosticInfo is not null ? 0x40 : 0);
        writer.WriteByte((byte)mask);
        if (value.SymbolicId >= 0)
            writer.WriteInt32(value.SymbolicId);
        if (value.NamespaceUri >= 0)
            writer.WriteInt32(value.NamespaceUri);
        if (value.Locale >= 0)
            writer.WriteInt32(value.Locale);
        if (value.LocalizedText >= 0)
            writer.WriteInt32(value.LocalizedText);
        if (value.AdditionalInfo is not null)
            writer.WriteString(value.AdditionalInfo);
        if (value.InnerStatusCode is { } inner)
            writer.WriteStatusCode(inner);
        if (value.InnerDiagnosticInfo is not null)
            Write(ref writer, value.InnerDiagnosticInfo);
    }
}
