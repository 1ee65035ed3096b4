using System.Globalization;
using Gateway.Codec.Types;

namespace Gateway.Events.Values;

/// <summary>Conversions from and to texts, and those of types that are no numbers. Source: Part 4 §7.7.3.</summary>
internal static class TextConversion
{
    private const NumberStyles Real = NumberStyles.Float;

    public static bool TryFrom(string? text, BuiltInType to, out Variant result)
    {
        result = text is null ? default : to switch
        {
            BuiltInType.Boolean => ToBoolean(text),
            BuiltInType.Float or BuiltInType.Double => ToReal(text, to),
            >= BuiltInType.SByte and <= BuiltInType.UInt64 => ToInteger(text, to),
            BuiltInType.Guid => Guid.TryParse(text, out var guid) ? new Variant(guid) : default,
            BuiltInType.DateTime => ToDateTime(text),
            BuiltInType.NodeId => NodeIdText.TryParse(text, out NodeId id) ? new Variant(id) : default,
            BuiltInType.ExpandedNodeId => NodeIdText.TryParse(text, out ExpandedNodeId id) ? new Variant(id) : default,
            BuiltInType.LocalizedText => new Variant(new LocalizedText(text)),
            BuiltInType.QualifiedName => new Variant(new QualifiedName(text)),
            _ => default,
        };
        return !result.IsNull;
    }

    /// <summary>From a NodeId, a name, a Guid, a DateTime …</summary>
    public static bool TryFromOther(in Variant value, BuiltInType to, out Variant result)
    {
        result = (value.Type, to) switch
        {
            (BuiltInType.NodeId, BuiltInType.ExpandedNodeId) => new Variant(new ExpandedNodeId(value.AsNodeId())),
            (BuiltInType.NodeId, BuiltInType.String) => new Variant(NodeIdText.Format(value.AsNodeId())),
            (BuiltInType.ExpandedNodeId, BuiltInType.String) =>
                new Variant(NodeIdText.Format(value.AsExpandedNodeId())),
            (BuiltInType.ExpandedNodeId, BuiltInType.NodeId) when value.AsExpandedNodeId() is { IsLocal: true } local =>
                new Variant(local.NodeId),
            (BuiltInType.LocalizedText, BuiltInType.String) => OfText(value.AsLocalizedText().Text),
            (BuiltInType.QualifiedName, BuiltInType.String) => OfText(value.AsQualifiedName().Name),
            (BuiltInType.QualifiedName, BuiltInType.LocalizedText) =>
                new Variant(new LocalizedText(value.AsQualifiedName().Name)),
            (BuiltInType.Guid, BuiltInType.String) => new Variant(value.AsGuid().ToString("D")),
            (BuiltInType.Guid, BuiltInType.ByteString) => Variant.FromByteString(value.AsGuid().ToByteArray()),
            (BuiltInType.ByteString, BuiltInType.Guid) when value.AsByteString() is { Length: 16 } bytes =>
                new Variant(new Guid(bytes)),
            (BuiltInType.DateTime, BuiltInType.String) =>
                new Variant(value.AsDateTime().ToString("yyyy-MM-ddTHH:mm:ss.FFFFFFFZ", CultureInfo.InvariantCulture)),
            _ => default,
        };
        return !result.IsNull;
    }

    private static Variant OfText(string? text) => text is null ? default : new Variant(text);

    private static Variant ToBoolean(string text)
    {
        if (text == "1" || text.Equals("true", StringComparison.OrdinalIgnoreCase))
            return new Variant(true);
        return text == "0" || text.Equals("false", StringComparison.OrdinalIgnoreCase) ? new Variant(false) : default;
    }

    private static Variant ToReal(string text, BuiltInType to) =>
        double.TryParse(text, Real, CultureInfo.InvariantCulture, out var number) &&
        ValueConversion.TryFromReal(number, to, out var result) ? result : default;

    /// <summary>A text with a fraction is rounded, as a number with one is.</summary>
    private static Variant ToInteger(string text, BuiltInType to)
    {
        if (Int128.TryParse(text, NumberStyles.Integer, CultureInfo.InvariantCulture, out var whole))
            return ValueConversion.TryFromInteger(whole, to, out var result) ? result : default;
        return double.TryParse(text, Real, CultureInfo.InvariantCulture, out var number) &&
            ValueConversion.TryFromReal(number, to, out var rounded) ? rounded : default;
    }

    private static Variant ToDateTime(string text) =>
        DateTime.TryParse(
            text, CultureInfo.InvariantCulture, DateTimeStyles.AdjustToUniversal | DateTimeStyles.AssumeUniversal,
            out var time) ? new Variant(time) : default;
}
