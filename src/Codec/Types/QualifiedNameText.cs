using System.Globalization;

namespace Gateway.Codec.Types;

/// <summary>The text forms of a QualifiedName: <c>[index:]name</c> or <c>[nsu=uri;]name</c>. A name of namespace 0
/// that looks as if it had a prefix gets <c>0:</c>. Source: Part 6 §5.1.12.</summary>
public static class QualifiedNameText
{
    public static string Format(QualifiedName value)
    {
        var name = value.Name ?? string.Empty;
        return value.NamespaceIndex != 0 || HasPrefix(name)
            ? string.Create(CultureInfo.InvariantCulture, $"{value.NamespaceIndex}:{name}")
            : name;
    }

    public static string Format(QualifiedName value, IReadOnlyList<string> namespaceUris) =>
        value.NamespaceIndex > 0 && value.NamespaceIndex < namespaceUris.Count
            ? NamespaceUriText.Prefix(namespaceUris[value.NamespaceIndex]) + value.Name
            : Format(value);

    /// <summary>By index; a prefix that is no UInt16 belongs to the name. False for an empty name and for
    /// <c>nsu=</c>, which needs a table.</summary>
    public static bool TryParse(ReadOnlySpan<char> text, out QualifiedName value)
    {
        ushort index = 0;
        var colon = text.IndexOf(':');
        var name = text;
        if (colon > 0 && ushort.TryParse(text[..colon], NumberStyles.None, CultureInfo.InvariantCulture, out index))
            name = text[(colon + 1)..];
        value = new QualifiedName(name.ToString(), index);
        return name.Length > 0 && !NamespaceUriText.TryTakePrefix(ref text, out _);
    }

    /// <summary>Both forms; false also for a URI that the table does not have.</summary>
    public static bool TryParse(ReadOnlySpan<char> text, IReadOnlyList<string> namespaceUris, out QualifiedName value)
    {
        if (!NamespaceUriText.TryTakePrefix(ref text, out var uri))
            return TryParse(text, out value);
        var found = NamespaceUriText.TryFind(namespaceUris, uri!, out var index);
        value = new QualifiedName(text.ToString(), index);
        return found && text.Length > 0;
    }

    private static bool HasPrefix(string name) =>
        name.StartsWith("nsu=", StringComparison.Ordinal) ||
        (name.IndexOf(':', StringComparison.Ordinal) is > 0 and var colon &&
            ushort.TryParse(name.AsSpan(0, colon), NumberStyles.None, CultureInfo.InvariantCulture, out _));
}
