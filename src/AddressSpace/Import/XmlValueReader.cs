using System.Xml.Linq;
using Gateway.Codec.Types;

namespace Gateway.AddressSpace.Import;

/// <summary>The element inside a Value as a Variant: scalars and lists of every built-in type, matrices, structures.
/// Errors: <see cref="NodeSetException"/>. Source: Part 6 §5.3 (XML encoding), Annex F.9.</summary>
internal sealed class XmlValueReader
{
    private const string ListPrefix = "ListOf";

    private readonly ValueContext _context;
    private readonly XmlScalarReader _scalars;

    public XmlValueReader(ValueContext context)
    {
        _context = context;
        _scalars = new XmlScalarReader(context, this);
    }

    public XmlScalarReader Scalars => _scalars;

    public Variant Read(XElement element)
    {
        var name = element.Name.LocalName;
        if (name == "Null" || IsNil(element))
            return Variant.Null;
        if (name == "Matrix")
            return ReadMatrix(element);
        if (name == "Variant")
            return ReadVariant(element);
        if (name.StartsWith(ListPrefix, StringComparison.Ordinal))
        {
            var type = TypeOf(element, name.AsSpan(ListPrefix.Length));
            return Variant.FromArray(type, ReadArray(type, [.. element.Elements()]));
        }

        return _scalars.Read(TypeOf(element, name), element);
    }

    /// <summary>An element that holds a Value element that holds the value.</summary>
    public Variant ReadVariant(XElement element)
    {
        var inner = XmlScalarReader.Child(element, "Value")?.Elements().FirstOrDefault();
        return inner is null ? Variant.Null : Read(inner);
    }

    public static bool IsNil(XElement element) => element.Attributes().Any(
        static a => a.Name.LocalName == "nil" && a.Value is "true" or "1" && a.Name.NamespaceName.Length > 0);

    public Array ReadArray(BuiltInType type, IReadOnlyList<XElement> elements)
    {
        switch (type)
        {
            case BuiltInType.Boolean: return Fill(elements, type, static v => v.AsBoolean());
            case BuiltInType.SByte: return Fill(elements, type, static v => (sbyte)v.AsInt64());
            case BuiltInType.Byte: return Fill(elements, type, static v => (byte)v.AsInt64());
            case BuiltInType.Int16: return Fill(elements, type, static v => (short)v.AsInt64());
            case BuiltInType.UInt16: return Fill(elements, type, static v => (ushort)v.AsInt64());
            case BuiltInType.Int32: return Fill(elements, type, static v => v.AsInt32());
            case BuiltInType.UInt32: return Fill(elements, type, static v => v.AsUInt32());
            case BuiltInType.Int64: return Fill(elements, type, static v => v.AsInt64());
            case BuiltInType.UInt64: return Fill(elements, type, static v => v.AsUInt64());
            case BuiltInType.Float: return Fill(elements, type, static v => v.AsFloat());
            case BuiltInType.Double: return Fill(elements, type, static v => v.AsDouble());
            case BuiltInType.String: return Fill(elements, type, static v => v.AsString());
            case BuiltInType.DateTime: return Fill(elements, type, static v => v.AsDateTime());
            case BuiltInType.Guid: return Fill(elements, type, static v => v.AsGuid());
            case BuiltInType.ByteString: return Fill(elements, type, static v => v.AsByteString());
            case BuiltInType.XmlElement: return Fill(elements, type, static v => v.AsXmlElement());
            case BuiltInType.NodeId: return Fill(elements, type, static v => v.AsNodeId());
            case BuiltInType.ExpandedNodeId: return Fill(elements, type, static v => v.AsExpandedNodeId());
            case BuiltInType.StatusCode: return Fill(elements, type, static v => v.AsStatusCode());
            case BuiltInType.QualifiedName: return Fill(elements, type, static v => v.AsQualifiedName());
            case BuiltInType.LocalizedText: return Fill(elements, type, static v => v.AsLocalizedText());
            case BuiltInType.ExtensionObject: return Fill(elements, type, static v => v.AsExtensionObject());
            case BuiltInType.DataValue: return Fill(elements, type, static v => v.AsDataValue());
            default: return elements.Select(ReadVariant).ToArray();
        }
    }

    private T[] Fill<T>(IReadOnlyList<XElement> elements, BuiltInType type, Func<Variant, T> take)
    {
        var values = new T[elements.Count];
        for (var i = 0; i < values.Length; i++)
            values[i] = take(_scalars.Read(type, elements[i]));
        return values;
    }

    private Variant ReadMatrix(XElement element)
    {
        var sizes = XmlScalarReader.Child(element, "Dimensions")?.Elements()
            .Select(e => _scalars.Read(BuiltInType.UInt32, e).AsInt32()).ToArray() ?? [];
        var elements = XmlScalarReader.Child(element, "Elements")?.Elements().ToList() ?? [];
        var product = sizes.Aggregate(1L, static (p, size) => p > int.MaxValue ? p : p * Math.Max(0, size));
        if (sizes.Length < 2 || product != elements.Count || elements.Count == 0)
            throw _context.Error(element, "the matrix's dimensions do not fit its elements");
        var type = TypeOf(element, elements[0].Name.LocalName);
        return Variant.FromMatrix(type, new Matrix(ReadArray(type, elements), sizes));
    }

    private BuiltInType TypeOf(XElement element, ReadOnlySpan<char> name) =>
        Enum.TryParse(name, out BuiltInType type) && type != BuiltInType.Null && !char.IsDigit(name[0])
            ? type
            : throw _context.Error(element, $"'{name}' is no built-in type");
}
