using System.Runtime.CompilerServices;
using Gateway.Codec.Pooling;
using Gateway.Codec.Types;

namespace Gateway.Codec.Binary;

/// <summary>The memory that decoded values hold, in bytes, estimated from above; the struct itself is its owner's. For
/// code that keeps several decoded messages, each of which had its own <see cref="DecodingLimits"/>.</summary>
public static class ValueSize
{
    /// <summary>A known structure in memory against its bytes: small fields with a header each.</summary>
    private const int StructureFactor = 4;

    public static long Of(in Variant value) => value.Elements is { } elements
        ? DecodedSize.Object + OfElements(elements)
        : OfScalar(value);

    private static long OfScalar(in Variant value) => value.Type switch
    {
        <= BuiltInType.DateTime or BuiltInType.StatusCode when value.Type != BuiltInType.String => 0,
        BuiltInType.String => OfText(value.AsString()),
        BuiltInType.ByteString => OfBytes(value.AsByteString()),
        BuiltInType.XmlElement => DecodedSize.Box + OfText(value.AsXmlElement().Value),
        BuiltInType.NodeId => DecodedSize.Box + Of(value.AsNodeId()),
        BuiltInType.ExpandedNodeId => DecodedSize.Box + Of(value.AsExpandedNodeId()),
        BuiltInType.QualifiedName => DecodedSize.Box + OfText(value.AsQualifiedName().Name),
        BuiltInType.LocalizedText => DecodedSize.Box + Of(value.AsLocalizedText()),
        BuiltInType.ExtensionObject => DecodedSize.Box + Of(value.AsExtensionObject()),
        BuiltInType.DataValue => DecodedSize.Box + Of(value.AsDataValue().Value),
        BuiltInType.DiagnosticInfo => Of(value.AsDiagnosticInfo()),
        _ => DecodedSize.Box,
    };

    private static long OfElements(Array elements) => elements switch
    {
        string?[] texts => Sum(texts, static text => OfText(text)),
        byte[]?[] strings => Sum(strings, static bytes => OfBytes(bytes)),
        XmlElement[] xml => Sum(xml, static one => OfText(one.Value)),
        NodeId[] ids => Sum(ids, Of),
        ExpandedNodeId[] ids => Sum(ids, Of),
        QualifiedName[] names => Sum(names, static name => OfText(name.Name)),
        LocalizedText[] texts => Sum(texts, Of),
        ExtensionObject[] objects => Sum(objects, Of),
        DataValue[] values => Sum(values, static value => Of(value.Value)),
        Variant[] variants => Sum(variants, static variant => Of(variant)),
        DiagnosticInfo?[] infos => Sum(infos, Of),
        DateTime[] times => (long)Unsafe.SizeOf<DateTime>() * times.Length,
        StatusCode[] codes => (long)Unsafe.SizeOf<StatusCode>() * codes.Length,
        Guid[] guids => (long)Unsafe.SizeOf<Guid>() * guids.Length,
        _ => Buffer.ByteLength(elements),
    };

    private static long Sum<T>(T[] elements, Func<T, long> size)
    {
        var sum = (long)elements.Length * Unsafe.SizeOf<T>();
        foreach (var element in elements)
            sum += size(element);
        return sum;
    }

    private static long OfText(string? text) =>
        text is null ? 0 : DecodedSize.Object + ((long)sizeof(char) * text.Length);

    private static long OfBytes(byte[]? bytes) => bytes is null ? 0 : DecodedSize.Object + (long)bytes.Length;

    private static long Of(LocalizedText text) => OfText(text.Text) + OfText(text.Locale);

    private static long Of(NodeId id) => id.IdType switch
    {
        IdType.Numeric => 0,
        IdType.String => OfText(id.String),
        IdType.Guid => DecodedSize.Box,
        _ => OfBytes(id.Opaque),
    };

    private static long Of(ExpandedNodeId id) => Of(id.NodeId) + OfText(id.NamespaceUri);

    private static long Of(DiagnosticInfo? info) => info is null
        ? 0
        : DecodedSize.DiagnosticInfo + OfText(info.AdditionalInfo) + Of(info.InnerDiagnosticInfo);

    private static long Of(ExtensionObject value) => Of(value.TypeId) + value.Body switch
    {
        null => 0,
        byte[] bytes => OfBytes(bytes),
        XmlElement xml => OfText(xml.Value),
        JsonBody json => DecodedSize.Object + OfBytes(json.Utf8),
        _ => OfStructure(value),
    };

    private static long OfStructure(ExtensionObject value)
    {
        using var encoded = new PooledBuffer();
        var writer = new UaBinaryWriter(encoded);
        writer.WriteExtensionObject(value);
        if (writer.Failed)
            return long.MaxValue / 1024;
        writer.Complete();
        return DecodedSize.Object + ((long)StructureFactor * encoded.Length);
    }
}
