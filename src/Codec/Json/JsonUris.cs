using System.Collections.Frozen;
using System.Text;
using Gateway.Codec.Types;

namespace Gateway.Codec.Json;

/// <summary>
/// The NamespaceArray and the ServerArray as JSON needs them: from an index to the UTF-8 text, and from a URI to its
/// index. Shape: a snapshot; one is made whenever a table has grown. Threads: any. Source: Part 6 §5.4.2.10.
/// </summary>
public sealed class JsonUris
{
    public static JsonUris None { get; } = new([]);

    private readonly byte[][] _namespaces;
    private readonly byte[][] _namespacePrefixes;
    private readonly byte[][] _servers;
    private readonly byte[][] _serverPrefixes;
    private readonly FrozenDictionary<string, int> _namespaceIndexes;
    private readonly FrozenDictionary<string, int> _serverIndexes;

    public JsonUris(IReadOnlyList<string> namespaceUris, IReadOnlyList<string>? serverUris = null)
    {
        serverUris ??= [];
        _namespaces = Utf8(namespaceUris, static uri => uri);
        _namespacePrefixes = Utf8(namespaceUris, NamespaceUriText.Prefix);
        _servers = Utf8(serverUris, static uri => uri);
        _serverPrefixes = Utf8(serverUris, static uri => "svu" + NamespaceUriText.Prefix(uri)["nsu".Length..]);
        _namespaceIndexes = Indexes(namespaceUris);
        _serverIndexes = Indexes(serverUris);
    }

    /// <summary>Empty: the table has none.</summary>
    internal ReadOnlySpan<byte> Namespace(uint index) => Find(_namespaces, index);

    /// <summary><c>nsu=uri;</c>; empty: the table has none.</summary>
    internal ReadOnlySpan<byte> NamespacePrefix(uint index) => Find(_namespacePrefixes, index);

    internal ReadOnlySpan<byte> Server(uint index) => Find(_servers, index);

    /// <summary><c>svu=uri;</c>; empty: the table has none.</summary>
    internal ReadOnlySpan<byte> ServerPrefix(uint index) => Find(_serverPrefixes, index);

    internal bool TryFindNamespace(string uri, out ushort index)
    {
        var found = TryFind(_namespaceIndexes, uri, out var position);
        index = (ushort)position;
        return found;
    }

    internal bool TryFindServer(string uri, out uint index)
    {
        var found = TryFind(_serverIndexes, uri, out var position);
        index = (uint)position;
        return found;
    }

    private static bool TryFind(FrozenDictionary<string, int> indexes, string uri, out int position) =>
        indexes.TryGetValue(uri, out position) ||
        (NamespaceUriText.Unescape(uri) is { } plain && indexes.TryGetValue(plain, out position));

    private static ReadOnlySpan<byte> Find(byte[][] table, uint index) =>
        index < (uint)table.Length ? table[index] : default;

    private static byte[][] Utf8(IReadOnlyList<string> uris, Func<string, string> text) =>
        [.. uris.Select(uri => uri.Length == 0 ? [] : Encoding.UTF8.GetBytes(text(uri)))];

    /// <summary>The first of two equal URIs; at most as many as an index can count.</summary>
    private static FrozenDictionary<string, int> Indexes(IReadOnlyList<string> uris)
    {
        var indexes = new Dictionary<string, int>(StringComparer.Ordinal);
        for (var i = 0; i < uris.Count && i <= ushort.MaxValue; i++)
        {
            if (uris[i].Length > 0)
                indexes.TryAdd(uris[i], i);
        }

        return indexes.ToFrozenDictionary(StringComparer.Ordinal);
    }
}
