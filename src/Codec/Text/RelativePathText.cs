using System.Globalization;
using System.Text;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.Codec.Text;

/// <summary>
/// The text form of a RelativePath: <c>/</c> hierarchical, <c>.</c> aggregates, <c>&lt;[#][!]name&gt;</c> a reference
/// type by BrowseName (# without subtypes, ! inverse), each followed by <c>[index:]name</c>; the last name may be
/// missing. <c>&amp;</c> escapes a reserved character. Source: Part 4 Annex A.2.
/// </summary>
public static class RelativePathText
{
    private const string Reserved = "/.<>:#!&";
    private const int DefaultMaxElements = 1000;

    private static readonly NodeId Hierarchical = new(StandardIds.ReferenceTypes.HierarchicalReferences);
    private static readonly NodeId Aggregates = new(StandardIds.ReferenceTypes.Aggregates);

    /// <summary>False also for a reference type that <paramref name="referenceTypes"/> does not know (it then
    /// returns the null NodeId), or for more than <paramref name="maxElements"/>.</summary>
    public static bool TryParse(
        ReadOnlySpan<char> text, Func<QualifiedName, NodeId> referenceTypes, out RelativePath value,
        int maxElements = DefaultMaxElements)
    {
        value = new RelativePath();
        var elements = new List<RelativePathElement>();
        while (!text.IsEmpty)
        {
            if (elements.Count == maxElements || elements is [.., { TargetName.IsNull: true }] ||
                !TryTakeReferenceType(ref text, referenceTypes, out var element) ||
                !TryTakeName(ref text, "/.<", out var target))
                return false;
            elements.Add(element with { TargetName = target });
        }

        value = new RelativePath { Elements = [.. elements] };
        return elements.Count > 0;
    }

    public static string Format(RelativePath value, Func<NodeId, QualifiedName> referenceTypes)
    {
        var text = new StringBuilder();
        foreach (var element in value.Elements ?? [])
        {
            if (IsPlain(element, Hierarchical))
                text.Append('/');
            else if (IsPlain(element, Aggregates))
                text.Append('.');
            else
            {
                text.Append('<').Append(element.IncludeSubtypes ? "" : "#").Append(element.IsInverse ? "!" : "");
                AppendName(text, referenceTypes(element.ReferenceTypeId));
                text.Append('>');
            }

            AppendName(text, element.TargetName);
        }

        return text.ToString();
    }

    private static bool IsPlain(in RelativePathElement element, NodeId referenceType) =>
        element is { IncludeSubtypes: true, IsInverse: false } && element.ReferenceTypeId == referenceType;

    private static void AppendName(StringBuilder text, QualifiedName name)
    {
        if (name.NamespaceIndex != 0)
            text.Append(CultureInfo.InvariantCulture, $"{name.NamespaceIndex}:");
        foreach (var character in name.Name ?? string.Empty)
        {
            if (Reserved.Contains(character, StringComparison.Ordinal))
                text.Append('&');
            text.Append(character);
        }
    }

    private static bool TryTakeReferenceType(
        ref ReadOnlySpan<char> text, Func<QualifiedName, NodeId> referenceTypes, out RelativePathElement element)
    {
        var first = text[0];
        text = text[1..];
        element = new RelativePathElement { IncludeSubtypes = true };
        switch (first)
        {
            case '/':
                element = element with { ReferenceTypeId = Hierarchical };
                return true;
            case '.':
                element = element with { ReferenceTypeId = Aggregates };
                return true;
            case '<':
                var isExact = TryTake(ref text, '#');
                var isInverse = TryTake(ref text, '!');
                if (!TryTakeName(ref text, ">", out var name) || name.IsNull || !TryTake(ref text, '>'))
                    return false;
                element = new RelativePathElement
                {
                    ReferenceTypeId = referenceTypes(name),
                    IncludeSubtypes = !isExact,
                    IsInverse = isInverse,
                };
                return !element.ReferenceTypeId.IsNull;
            default:
                return false;
        }
    }

    private static bool TryTake(ref ReadOnlySpan<char> text, char expected)
    {
        if (text.IsEmpty || text[0] != expected)
            return false;
        text = text[1..];
        return true;
    }

    /// <summary>Up to one of the ends or the end of the text. An unescaped colon after digits ends the namespace
    /// index; an unescaped reserved character that is none of the ends is an error.</summary>
    private static bool TryTakeName(ref ReadOnlySpan<char> text, string ends, out QualifiedName name)
    {
        var builder = new StringBuilder();
        ushort? index = null;
        name = default;
        var i = 0;
        for (; i < text.Length && !ends.Contains(text[i], StringComparison.Ordinal); i++)
        {
            if (text[i] == ':' && index is null && i == builder.Length &&
                ushort.TryParse(text[..i], NumberStyles.None, CultureInfo.InvariantCulture, out var number))
            {
                index = number;
                builder.Clear();
                continue;
            }

            if (text[i] == '&')
                i++;
            else if (Reserved.Contains(text[i], StringComparison.Ordinal))
                return false;
            if (i == text.Length)
                return false;
            builder.Append(text[i]);
        }

        text = text[i..];
        if (builder.Length > 0)
            name = new QualifiedName(builder.ToString(), index ?? 0);
        return builder.Length > 0 || index is null;
    }
}
