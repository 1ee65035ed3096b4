using Gateway.Codec.Types;

namespace Gateway.Codec.Json;

/// <summary>StatusCode: an object <c>Code, Symbol</c>, empty for Good; the reader ignores the symbol. Reversible: a
/// number, which the reader always accepts. Source: Part 6 §5.4.2.12, §H.4.</summary>
internal static class StatusCodeJson
{
    private static readonly byte[][] Members = ["Code"u8.ToArray(), "Symbol"u8.ToArray()];

    public static void Write(UaJsonWriter writer, StatusCode value)
    {
        if (writer.Format.Encoding == JsonEncoding.Reversible)
        {
            writer.WriteUInt32(value.Code);
            return;
        }

        writer.Json.WriteStartObject();
        if (value.Code != 0)
        {
            writer.Json.WriteNumber(JsonNames.Code, value.Code);
            if (writer.Format.Encoding != JsonEncoding.Compact && StatusCodes.NameOf(value.CodeBits) is { } symbol)
                writer.Json.WriteString(JsonNames.Symbol, symbol);
        }

        writer.Json.WriteEndObject();
    }

    /// <summary>Whether nothing is written of it outside of arrays: Good in the deprecated encodings.
    /// Source: Part 6 §H.4.</summary>
    public static bool IsOmitted(UaJsonWriter writer, StatusCode value) =>
        value.Code == 0 && writer.Format.IsDeprecated;

    /// <summary>NULL is Good: that is how the deprecated encoding writes it in an array.</summary>
    public static StatusCode Read(ref UaJsonReader reader)
    {
        if (reader.IsNull)
            return StatusCode.Good;
        if (!reader.IsStartObject)
            return new StatusCode((uint)reader.ReadInteger(0, uint.MaxValue, "a StatusCode"));
        uint code = 0;
        var seen = 0UL;
        while (reader.NextMember(Members, ref seen, out var member))
        {
            if (member == 0)
                code = reader.ReadUInt32();
            else
                reader.ReadString();
        }

        return new StatusCode(code);
    }
}
