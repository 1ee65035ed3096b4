using System.Collections.Concurrent;
using System.Diagnostics.CodeAnalysis;

namespace Gateway.AddressSpace.Nodes;

/// <summary>
/// Namespace index ↔ URI. Shape: append-only, because a client may hold an index for as long as the process lives;
/// index 0 is the standard's, the host registers its ApplicationUri as 1. Code that adds names from a peer must bound
/// them. Threads: any; readers take no lock. Source: Part 5 §12.7 (NamespaceArray).
/// </summary>
public sealed class NamespaceTable
{
    public const string StandardUri = "http://opcfoundation.org/UA/";

    private readonly Lock _lock = new();
    private readonly ConcurrentDictionary<string, ushort> _indexes;
    private readonly ConcurrentDictionary<string, ushort>.AlternateLookup<ReadOnlySpan<char>> _indexesBySpan;
    private readonly ConcurrentDictionary<string, bool> _own = new(StringComparer.Ordinal) { [StandardUri] = true };
    private readonly ConcurrentDictionary<string, int> _claims = new(StringComparer.Ordinal);
    private volatile string[] _uris = [StandardUri, "", "", ""];
    private volatile string[] _snapshot = [StandardUri];
    private volatile int _count = 1;
    private int _claimsVersion;

    public NamespaceTable()
    {
        _indexes = new(StringComparer.Ordinal) { [StandardUri] = 0 };
        _indexesBySpan = _indexes.GetAlternateLookup<ReadOnlySpan<char>>();
    }

    public int Count => _count;

    /// <summary>The NamespaceArray as it is now; not to be changed.</summary>
    public string[] Uris
    {
        get
        {
            var snapshot = _snapshot;
            if (snapshot.Length == _count)
                return snapshot;
            lock (_lock)
                return _snapshot = _uris[.._count];
        }
    }

    /// <summary>Null for an unregistered index.</summary>
    public string? GetUri(ushort index) => index < _count ? _uris[index] : null;

    public bool TryGetIndex([NotNullWhen(true)] string? uri, out ushort index)
    {
        index = 0;
        return uri is not null && _indexes.TryGetValue(uri, out index);
    }

    /// <summary>The same of a part of a text, without a copy.</summary>
    public bool TryGetIndex(ReadOnlySpan<char> uri, out ushort index) => _indexesBySpan.TryGetValue(uri, out index);

    /// <summary>The gateway or a NodeSet has it, and did not only hear it from a peer.</summary>
    public bool IsOwn(string uri) => _own.ContainsKey(uri);

    /// <summary>The nodes of a source have it, or will: no other peer's nodes are served with it.</summary>
    public bool IsClaimed(string uri) => _claims.ContainsKey(uri);

    /// <summary>Other URIs are claimed than before. Raised outside of all locks.</summary>
    public event Action? ClaimsChanged;

    /// <summary>Another number: other URIs are claimed than before.</summary>
    public int ClaimsVersion => Volatile.Read(ref _claimsVersion);

    /// <summary>Until as many calls of <see cref="Release"/>.</summary>
    public void Claim(string uri)
    {
        lock (_lock)
            SetClaimsUnderLock(uri, _claims.GetValueOrDefault(uri) + 1);
    }

    public void Release(string uri)
    {
        lock (_lock)
            SetClaimsUnderLock(uri, _claims.GetValueOrDefault(uri) - 1);
    }

    /// <summary>After calls of <see cref="Claim"/> and <see cref="Release"/>: peers leave the ids before they are
    /// needed.</summary>
    public void TellClaims() => ClaimsChanged?.Invoke();

    /// <summary>The index of a URI of the gateway's own or of a NodeSet; registers it where it has none. Throws past
    /// 65,535 namespaces.</summary>
    public ushort GetOrAdd(string uri)
    {
        if (!TryGetOrAdd(uri, out var index))
            throw new InvalidOperationException("The namespace table is full.");
        _own[uri] = true;
        return index;
    }

    /// <summary>Of a URI that a peer names. False: the table is full and the URI not in it.</summary>
    public bool TryGetOrAdd(string uri, out ushort index)
    {
        ArgumentException.ThrowIfNullOrEmpty(uri);
        if (TryGetIndex(uri, out index))
            return true;
        lock (_lock)
        {
            if (TryGetIndex(uri, out index))
                return true;
            var count = _count;
            if (count > ushort.MaxValue)
                return false;
            var uris = _uris;
            if (count == uris.Length)
                Array.Resize(ref uris, count * 2);
            uris[count] = uri;
            // In this order: a reader that sees the count sees the URI, and one that finds the index its URI.
            _uris = uris;
            _count = count + 1;
            index = (ushort)count;
            _indexes[uri] = index;
            return true;
        }
    }

    private void SetClaimsUnderLock(string uri, int count)
    {
        var wasClaimed = _claims.ContainsKey(uri);
        if (count > 0)
            _claims[uri] = count;
        else
            _claims.TryRemove(uri, out _);
        if (wasClaimed != count > 0)
            Interlocked.Increment(ref _claimsVersion);
    }
}
