using System.Collections.Concurrent;
using System.Diagnostics.CodeAnalysis;

namespace Gateway.Transport.Certificates;

/// <summary>Two generations of at most <c>capacity</c> entries each: when the young one is full it becomes the old one
/// and the old one is dropped. What is used stays, and nothing is ever scanned. Any thread.</summary>
internal sealed class AnalysisCache(int capacity)
{
    private readonly Lock _lock = new();
    private ConcurrentDictionary<BlobKey, AnalysisEntry> _young = new();
    private ConcurrentDictionary<BlobKey, AnalysisEntry> _old = new();
    private int _youngCount;

    public int Count => _young.Count + _old.Count;

    /// <summary>Finds an entry only when it was made under that version of the trust list.</summary>
    public bool TryGet(BlobKey key, long trustListVersion, [NotNullWhen(true)] out AnalysisEntry? entry)
    {
        if (!_young.TryGetValue(key, out entry) && _old.TryGetValue(key, out entry))
            Set(key, entry);
        return entry?.Analysis.TrustListVersion == trustListVersion;
    }

    public void Set(BlobKey key, AnalysisEntry entry)
    {
        lock (_lock)
        {
            if (!_young.ContainsKey(key) && ++_youngCount > capacity)
            {
                _old = _young;
                _young = new ConcurrentDictionary<BlobKey, AnalysisEntry>();
                _youngCount = 1;
            }
            _young[key] = entry;
        }
    }
}
