using System.Diagnostics.CodeAnalysis;

namespace Gateway.AddressSpace.Nodes;

/// <summary>
/// Namespace index ↔ URI. Shape: append-only; index 0 is the standard's, the host registers its ApplicationUri as 1.
/// Threads: any; readers take no lock. Source: Part 5 §12.7 (NamespaceArray).
/// </summary>
public sealed class NamespaceTable
{
    public const string StandardUri = "http://opcfoundation.org/UA/";

    private readonly Lock _lock = new();
    private volatile string[] _uris = [StandardUri];

    public int Count => _uris.Length;

    /// <summary>The NamespaceArray as it is now; not to be changed.</summary>
    public string[] Uris => _uris;

    /// <summary>Null for an index that nobody registered.</summary>
    public string? GetUri(ushort index)
    {
        var uris = _uris;
        return index < uris.Length ? uris[index] : null;
    }

    public bool TryGetIndex([NotNullWhen(true)] string? uri, out ushort index)
    {
        var found = Array.IndexOf(_uris, uri);
        index = (ushort)Math.Max(found, 0);
        return found >= 0;
    }

    /// <summary>The URI's index; registers it where it has none. Throws past 65,535 namespaces.</summary>
    public ushort GetOrAdd(string uri)
    {
        ArgumentException.ThrowIfNullOrEmpty(uri);
        lock (_lock)
        {
            if (TryGetIndex(uri, out var index))
                return index;
            if (_uris.Length > ushort.MaxValue)
                throw new InvalidOperationException("The namespace table is full.");
            _uris = [.. _uris, uri];
            return (ushort)(_uris.Length - 1);
        }
    }
}
