using Gateway.Codec.Types;

namespace Gateway.Events.Values;

/// <summary>The work to convert or compare a value once, in steps of a where clause (R44): none for what is small, more
/// for each element of an array, each character of a long text and each byte of a long body.</summary>
internal static class ValueWork
{
    /// <summary>Of an element; to count it takes a step at most.</summary>
    public const int PerElement = 16;

    /// <summary>Characters or bytes.</summary>
    public const int LengthPerStep = 2;

    private const int SmallLength = 64;

    /// <param name="value">Looked at.</param>
    /// <param name="most">Counting ends beyond it.</param>
    public static long Of(in Variant value, long most) =>
        value.IsScalar ? OfScalar(value, most) : value.Elements is { } elements ? OfElements(elements, most) : 0;

    /// <summary>False, and a complement of what is left: there are not so many, and counting has taken its part.
    /// </summary>
    public static bool Take(long work, ref int steps)
    {
        if (work > steps)
        {
            steps = ~(steps - (steps / PerElement));
            return false;
        }

        steps -= (int)work;
        return true;
    }

    private static long OfScalar(in Variant value, long most) => value.Type switch
    {
        BuiltInType.String => OfText(value.AsString()),
        BuiltInType.ByteString => OfLength(value.AsByteString()?.Length ?? 0),
        BuiltInType.XmlElement => OfText(value.AsXmlElement().Value),
        BuiltInType.NodeId => OfId(value.AsNodeId()),
        BuiltInType.ExpandedNodeId => OfId(value.AsExpandedNodeId()),
        BuiltInType.QualifiedName => OfText(value.AsQualifiedName().Name),
        BuiltInType.LocalizedText => OfText(value.AsLocalizedText()),
        BuiltInType.ExtensionObject => OfBody(value.AsExtensionObject()),
        BuiltInType.DataValue => Of(value.AsDataValue().Value, most),
        _ => 0,
    };

    private static long OfElements(Array elements, long most)
    {
        var work = (long)PerElement * elements.Length;
        return elements switch
        {
            string?[] texts => Sum(texts, OfText, work, most),
            byte[]?[] strings => Sum(strings, static one => OfLength(one?.Length ?? 0), work, most),
            XmlElement[] texts => Sum(texts, static one => OfText(one.Value), work, most),
            NodeId[] ids => Sum(ids, OfId, work, most),
            ExpandedNodeId[] ids => Sum(ids, OfId, work, most),
            QualifiedName[] names => Sum(names, static one => OfText(one.Name), work, most),
            LocalizedText[] texts => Sum(texts, OfText, work, most),
            ExtensionObject[] bodies => Sum(bodies, OfBody, work, most),
            Variant[] values => OfVariants(values, work, most),
            _ => work,
        };
    }

    private static long OfVariants(Variant[] values, long work, long most)
    {
        for (var i = 0; i < values.Length && work <= most; i++)
            work += Of(values[i], most - work);
        return work;
    }

    private static long Sum<T>(T[] elements, Func<T, long> workOf, long work, long most)
    {
        for (var i = 0; i < elements.Length && work <= most; i++)
            work += workOf(elements[i]);
        return work;
    }

    private static long OfText(LocalizedText text) => OfText(text.Text) + OfText(text.Locale);

    private static long OfText(string? text) => OfLength(text?.Length ?? 0);

    private static long OfId(ExpandedNodeId id) => OfId(id.NodeId) + OfText(id.NamespaceUri);

    private static long OfId(NodeId id) => OfLength(id.String?.Length ?? id.Opaque?.Length ?? 0);

    private static long OfBody(ExtensionObject value) => value.Body switch
    {
        null => 0,
        byte[] bytes => OfLength(bytes.Length),
        JsonBody json => OfLength(json.Utf8.Length),
        XmlElement xml => OfText(xml.Value),
        // Its members, without those of arrays, which it has by reference.
        _ => PerElement,
    };

    private static long OfLength(int length) => length <= SmallLength ? 0 : length / LengthPerStep;
}
