namespace Gateway.Codec.Types;

/// <summary>The prefix <c>nsu=uri;</c> that NodeIds and QualifiedNames share. Source: Part 6 §5.1.12.</summary>
internal static class NamespaceUriText
{
    private const string Key = "nsu=";

    public static string Prefix(string uri) =>
        $"{Key}{uri.Replace("%", "%25", StringComparison.Ordinal).Replace(";", "%3B", StringComparison.Ordinal)};";

    /// <summary>Takes the prefix off and undoes the two escapes that are needed; any other percent sign may be the
    /// URI's own. Look it up as it is, then by <see cref="Unescape"/>.</summary>
    public static bool TryTakePrefix(ref ReadOnlySpan<char> text, out string? uri)
    {
        uri = null;
        var end = text.IndexOf(';');
        if (end < 0 || !text.StartsWith(Key, StringComparison.Ordinal))
            return false;
        uri = text[Key.Length..end].ToString();
        // Hardly any has one, and a request may have ten thousand NodeIds.
        if (uri.Contains('%', StringComparison.Ordinal))
            uri = uri.Replace("%3B", ";", StringComparison.OrdinalIgnoreCase)
                .Replace("%25", "%", StringComparison.Ordinal);
        text = text[(end + 1)..];
        return true;
    }

    /// <summary>A URI with all of its percent-encoding undone, as other stacks write it. Null: it has none.</summary>
    public static string? Unescape(string uri) =>
        uri.Contains('%', StringComparison.Ordinal) ? Uri.UnescapeDataString(uri) : null;

    public static bool TryFind(IReadOnlyList<string> namespaceUris, string uri, out ushort index) =>
        TryFindExactly(namespaceUris, uri, out index) ||
        (Unescape(uri) is { } plain && TryFindExactly(namespaceUris, plain, out index));

    private static bool TryFindExactly(IReadOnlyList<string> namespaceUris, string uri, out ushort index)
    {
        for (var i = 0; i < namespaceUris.Count && i <= ushort.MaxValue; i++)
        {
            if (!string.Equals(namespaceUris[i], uri, StringComparison.Ordinal))
                continue;
            index = (ushort)i;
            return true;
        }

        index = 0;
        return false;
    }
}
