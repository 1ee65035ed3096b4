using System.Globalization;
using System.Xml.Linq;
using Gateway.Codec.Types;

namespace Gateway.AddressSpace.Import;

/// <summary>One scalar in the XML encoding. Errors: <see cref="NodeSetException"/>. Source: Part 6 §5.3.1.</summary>
internal sealed class XmlScalarReader(ValueContext context, XmlValueReader values)
{
    public static XElement? Child(XElement element, string name) =>
        element.Elements().FirstOrDefault(e => e.Name.LocalName == name);

    public Variant Read(BuiltInType type, XElement element)
    {
        try
        {
            return ReadAny(type, element);
        }
        catch (Exception e) when (e is FormatException or OverflowException or ArgumentException)
        {
            throw context.Error(element, $"'{Shown(element.Value.Trim())}' is no valid {type}");
        }
    }

    private static string Shown(string text) => text.Length > 60 ? text[..60] + "…" : text;

    private Variant ReadAny(BuiltInType type, XElement element)
    {
        var text = element.Value.Trim();
        var culture = CultureInfo.InvariantCulture;
        switch (type)
        {
            case BuiltInType.Boolean: return new Variant(System.Xml.XmlConvert.ToBoolean(text));
            case BuiltInType.SByte: return new Variant(sbyte.Parse(text, culture));
            case BuiltInType.Byte: return new Variant(byte.Parse(text, culture));
            case BuiltInType.Int16: return new Variant(short.Parse(text, culture));
            case BuiltInType.UInt16: return new Variant(ushort.Parse(text, culture));
            case BuiltInType.Int32: return new Variant(ParseInt32(text));
            case BuiltInType.UInt32: return new Variant(uint.Parse(text, culture));
            case BuiltInType.Int64: return new Variant(long.Parse(text, culture));
            case BuiltInType.UInt64: return new Variant(ulong.Parse(text, culture));
            case BuiltInType.Float: return new Variant(System.Xml.XmlConvert.ToSingle(text));
            case BuiltInType.Double: return new Variant(System.Xml.XmlConvert.ToDouble(text));
            case BuiltInType.String: return new Variant(XmlValueReader.IsNil(element) ? null : element.Value);
            case BuiltInType.DateTime: return new Variant(ParseDateTime(text));
            case BuiltInType.Guid: return new Variant(Guid.Parse((Child(element, "String")?.Value ?? text).Trim()));
            case BuiltInType.ByteString: return Variant.FromByteString(Convert.FromBase64String(text));
            case BuiltInType.XmlElement: return new Variant(new XmlElement(InnerXml(element)));
            case BuiltInType.StatusCode:
                return new Variant(new StatusCode(uint.Parse(Child(element, "Code")?.Value ?? "0", culture)));
            case BuiltInType.NodeId: return new Variant(ReadNodeId(element));
            case BuiltInType.ExpandedNodeId: return new Variant(new ExpandedNodeId(ReadNodeId(element)));
            case BuiltInType.QualifiedName: return new Variant(ReadQualifiedName(element));
            case BuiltInType.LocalizedText: return new Variant(ReadLocalizedText(element));
            case BuiltInType.ExtensionObject: return new Variant(new XmlStructureReader(context, values).Read(element));
            case BuiltInType.DataValue: return new Variant(ReadDataValue(element));
            case BuiltInType.Variant: return values.ReadVariant(element);
            default: throw context.Error(element, $"a value of type {type} cannot be given in a NodeSet");
        }
    }

    /// <summary>Also an enumeration's <c>Name_5</c>.</summary>
    private static int ParseInt32(string text)
    {
        var number = text.AsSpan(text.LastIndexOf('_') + 1);
        return int.Parse(number, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture);
    }

    private static DateTime ParseDateTime(string text) => text.Length == 0 ? default : DateTime.Parse(
        text, CultureInfo.InvariantCulture, DateTimeStyles.AdjustToUniversal | DateTimeStyles.AssumeUniversal);

    private static string? InnerXml(XElement element) =>
        element.HasElements ? element.Elements().First().ToString(SaveOptions.DisableFormatting) : element.Value;

    private NodeId ReadNodeId(XElement element)
    {
        var text = (Child(element, "Identifier")?.Value ?? element.Value).Trim();
        if (text.Length == 0)
            return default;
        return context.File.Names.TryParseNodeId(text, out var node) ? node : throw new FormatException();
    }

    private QualifiedName ReadQualifiedName(XElement element)
    {
        var name = Child(element, "Name")?.Value;
        var index = ushort.Parse(Child(element, "NamespaceIndex")?.Value ?? "0", CultureInfo.InvariantCulture);
        return context.File.Names.TryMap(index, out var mapped)
            ? new QualifiedName(name, mapped)
            : throw new FormatException();
    }

    private static LocalizedText ReadLocalizedText(XElement element)
    {
        var locale = Child(element, "Locale")?.Value;
        return new LocalizedText(
            Child(element, "Text")?.Value, string.IsNullOrWhiteSpace(locale) ? null : locale.Trim());
    }

    private DataValue ReadDataValue(XElement element)
    {
        var status = Child(element, "StatusCode");
        return new DataValue(
            values.ReadVariant(element),
            status is null ? default : Read(BuiltInType.StatusCode, status).AsStatusCode(),
            ParseDateTime(Child(element, "SourceTimestamp")?.Value ?? ""),
            ParseDateTime(Child(element, "ServerTimestamp")?.Value ?? ""));
    }
}
