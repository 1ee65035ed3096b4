using System.Globalization;

namespace Gateway.Codec.Types;

/// <summary>
/// The text forms of NodeId and ExpandedNodeId: <c>[svr=n;][ns=n;|nsu=uri;](i|s|g|b)=id</c>, and for input also
/// <c>uri#(i|s|g|b)=id</c>. In a URI after <c>nsu=</c>, <c>;</c> is written %3B and <c>%</c> is written %25.
/// Source: Part 6 §5.1.12.
/// </summary>
public static class NodeIdText
{
    public static string Format(NodeId value) => Prefix("ns=", value.NamespaceIndex) + Identifier(value);

    public static string Format(ExpandedNodeId value)
    {
        var server = Prefix("svr=", value.ServerIndex);
        return string.IsNullOrEmpty(value.NamespaceUri)
            ? server + Format(value.NodeId)
            : $"{server}{NamespaceUriText.Prefix(value.NamespaceUri)}{Identifier(value.NodeId)}";
    }

    /// <summary>With the namespace by its URI, which outlives a restart of the server; by its index where the table
    /// has none.</summary>
    public static string Format(NodeId value, IReadOnlyList<string> namespaceUris) =>
        value.NamespaceIndex > 0 && value.NamespaceIndex < namespaceUris.Count
            ? NamespaceUriText.Prefix(namespaceUris[value.NamespaceIndex]) + Identifier(value)
            : Format(value);

    /// <summary>Without <c>svr=</c> and <c>nsu=</c>, which need a table or an <see cref="ExpandedNodeId"/>.</summary>
    public static bool TryParse(ReadOnlySpan<char> text, out NodeId value)
    {
        value = default;
        if (!TryParse(text, out ExpandedNodeId expanded) || !expanded.IsLocal)
            return false;
        value = expanded.NodeId;
        return true;
    }

    /// <summary>Every form, the URI looked up; false also for a URI that the table does not have and for a node of
    /// another server.</summary>
    public static bool TryParse(ReadOnlySpan<char> text, IReadOnlyList<string> namespaceUris, out NodeId value)
    {
        value = default;
        if (!TryParse(text, out ExpandedNodeId expanded) || expanded.ServerIndex != 0)
            return false;
        value = expanded.NodeId;
        if (expanded.NamespaceUri is not { } uri)
            return true;
        var found = NamespaceUriText.TryFind(namespaceUris, uri, out var index);
        value = found ? value.WithNamespace(index) : default;
        return found;
    }

    public static bool TryParse(ReadOnlySpan<char> text, out ExpandedNodeId value)
    {
        value = default;
        if (StartsAsIdentifier(text))
        {
            var isIdentifier = TryParseIdentifier(text, 0, out var plain);
            value = plain;
            return isIdentifier;
        }

        var hasServer = TryTakeNumber(ref text, "svr=", out var server);
        if (TryTakeNumber(ref text, "ns=", out var index))
        {
            if (index > ushort.MaxValue || !TryParseIdentifier(text, (ushort)index, out var indexed))
                return false;
            value = new ExpandedNodeId(indexed, null, server);
            return true;
        }

        if (!NamespaceUriText.TryTakePrefix(ref text, out var uri) && !hasServer)
            uri = TakeUriBeforeHash(ref text);
        if (uri is { Length: 0 } || !TryParseIdentifier(text, 0, out var nodeId))
            return false;
        value = new ExpandedNodeId(nodeId, uri, server);
        return true;
    }

    private static string Prefix(string key, uint number) =>
        number == 0 ? string.Empty : string.Create(CultureInfo.InvariantCulture, $"{key}{number};");

    private static string Identifier(in NodeId value) => value.IdType switch
    {
        IdType.Numeric => "i=" + value.Numeric.ToString(CultureInfo.InvariantCulture),
        IdType.String => "s=" + value.String,
        IdType.Guid => "g=" + value.Guid.ToString("D"),
        _ => "b=" + Convert.ToBase64String(value.Opaque!),
    };

    private static bool TryTakeNumber(ref ReadOnlySpan<char> text, string key, out uint number)
    {
        number = 0;
        var end = text.IndexOf(';');
        if (end < 0 || !text.StartsWith(key, StringComparison.Ordinal) ||
            !uint.TryParse(text[key.Length..end], NumberStyles.None, CultureInfo.InvariantCulture, out number))
            return false;
        text = text[(end + 1)..];
        return true;
    }

    /// <summary>Takes <c>uri#</c> off where the text does not start as an identifier itself. The first <c>#</c> that
    /// an identifier follows ends the URI: a string identifier may hold more of them.</summary>
    private static string? TakeUriBeforeHash(ref ReadOnlySpan<char> text)
    {
        if (StartsAsIdentifier(text))
            return null;
        for (var hash = 0; hash < text.Length; hash++)
        {
            if (text[hash] != '#' || !StartsAsIdentifier(text[(hash + 1)..]))
                continue;
            var uri = text[..hash].ToString();
            text = text[(hash + 1)..];
            return uri;
        }

        return null;
    }

    private static bool StartsAsIdentifier(ReadOnlySpan<char> text) =>
        text.Length >= 2 && text[1] == '=' && text[0] is 'i' or 's' or 'g' or 'b';

    private static bool TryParseIdentifier(ReadOnlySpan<char> text, ushort index, out NodeId value)
    {
        value = default;
        if (!StartsAsIdentifier(text))
            return false;
        var identifier = text[2..];
        switch (text[0])
        {
            case 'i' when uint.TryParse(identifier, NumberStyles.None, CultureInfo.InvariantCulture, out var number):
                value = new NodeId(number, index);
                return true;
            case 's':
                value = new NodeId(identifier.ToString(), index);
                return true;
            case 'g' when Guid.TryParseExact(identifier, "D", out var guid):
                value = new NodeId(guid, index);
                return true;
            case 'b':
                var bytes = new byte[identifier.Length];
                if (!Convert.TryFromBase64Chars(identifier, bytes, out var length))
                    return false;
                value = new NodeId(bytes[..length], index);
                return true;
            default:
                return false;
        }
    }
}
