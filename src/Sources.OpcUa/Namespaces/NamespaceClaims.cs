using Gateway.AddressSpace.Nodes;

namespace Gateway.Sources.OpcUa.Namespaces;

/// <summary>
/// Which upstream a namespace URI belongs to. The one that had it before keeps it (<see cref="NamespaceRecords"/>),
/// else the first to ask; for a later one, and for a URI that the gateway itself or a NodeSet uses, it becomes
/// <c>urn:gateway:&lt;Name&gt;:&lt;uri&gt;</c> (docs/upstreams.md#namespaces), with a number behind it where that is
/// another's already.
/// A claim is a name without an index until a served node or a value uses it, and is dropped when the upstream comes
/// back without it. A claim with an index lasts as long as the process, so that a node keeps its identity over every
/// reconnect and no client meets another URI under an index that it holds; one upstream gets at most
/// <see cref="UpstreamLimits.MaxUpstreamNamespaces"/> of them. Threads: any.
///</summary>
internal sealed class NamespaceClaims
{
    private readonly NamespaceTable _table;
    private readonly UpstreamLimits _limits;
    private readonly NamespaceRecords _records;
    private readonly Lock _lock = new();
    private readonly Dictionary<(string Upstream, string Uri), NamespaceClaim> _claims = [];
    private readonly HashSet<string> _localUris = new(StringComparer.Ordinal);
    private readonly Dictionary<string, int> _indexed = new(StringComparer.Ordinal);
    private List<string> _recorded = [];

    public NamespaceClaims(NamespaceTable table, UpstreamLimits limits, NamespaceRecords records)
    {
        (_table, _limits, _records) = (table, limits, records);
        ClaimRecordsUnderLock();
    }

    /// <summary>Refused are: the standard's URI elsewhere than at index 0, a URI that occurs twice, one that is too
    /// long, and all past the limit. Nodes in them are not served.</summary>
    /// <param name="upstream">The upstream's name.</param>
    /// <param name="upstreamUris">Its NamespaceArray.</param>
    /// <param name="structures">For the values of structures.</param>
    /// <param name="isBeside">Another map of the upstream is in use: what it may use still is its own.</param>
    public NamespaceMap Map(
        string upstream, string?[] upstreamUris, TableStructures? structures = null, bool isBeside = false)
    {
        NamespaceClaim?[] claims;
        lock (_lock)
        {
            if (!isBeside)
                DropUnusedUnderLock(upstream);
            claims = [null, .. ClaimAllUnderLock(upstream, upstreamUris, 1, [NamespaceTable.StandardUri])];
        }

        _table.TellClaims();
        var refused = Math.Max(0, upstreamUris.Length - claims.Length) +
            claims.Skip(1).Count(static one => one is null);
        return new NamespaceMap(this, claims, refused) { Structures = structures, Told = upstreamUris };
    }

    /// <summary>The upstream has appended to its NamespaceArray. False: it has changed otherwise, and the map is of no
    /// use any more.</summary>
    public bool TryGrow(NamespaceMap map, string upstream, string?[] upstreamUris)
    {
        var before = map.Told;
        if (!before.SequenceEqual(upstreamUris.Take(before.Length)))
            return false;
        if (upstreamUris.Length == before.Length)
            return true;
        lock (_lock)
            map.Grow(
                ClaimAllUnderLock(upstream, upstreamUris, Math.Max(1, before.Length), [.. map.Uris]), upstreamUris);
        _table.TellClaims();
        return true;
    }

    /// <summary>Gives the claim its index at the first use. False: the upstream has its share already, it came back
    /// without the URI, or the table is full.</summary>
    public bool TryUse(NamespaceClaim claim)
    {
        lock (_lock)
        {
            if (claim.Index != 0)
                return true;
            // Of a map of an earlier session: its URI may be another upstream's by now.
            if (_claims.GetValueOrDefault((claim.Upstream, claim.Uri)) != claim)
                return false;
            var used = _indexed.GetValueOrDefault(claim.Upstream);
            if (used >= _limits.MaxUpstreamNamespaces || !_table.TryGetOrAdd(claim.LocalUri, out var index))
                return false;
            _indexed[claim.Upstream] = used + 1;
            claim.Index = index;
            _records.Keep(claim);
            return true;
        }
    }

    /// <summary>The same of the claim's other URI. It is no choice between upstreams, so no record keeps it.</summary>
    public bool TryUseOther(NamespaceClaim claim)
    {
        lock (_lock)
        {
            if (claim.OtherIndex != 0)
                return true;
            var used = _indexed.GetValueOrDefault(claim.Upstream);
            var isNew = !_table.TryGetIndex(claim.OtherUri, out var index);
            if (isNew && (used >= _limits.MaxUpstreamNamespaces || !_table.TryGetOrAdd(claim.OtherUri, out index)))
                return false;
            if (isNew)
                _indexed[claim.Upstream] = used + 1;
            claim.OtherIndex = index;
            return true;
        }
    }

    /// <summary>Whether the gateway itself, or a NodeSet, has the URI: then an upstream adds no nodes to it.</summary>
    public bool IsGateways(string uri) => _table.IsOwn(uri);

    /// <summary>Other upstreams are configured from now on. The namespaces of one that has gone keep their
    /// indexes, and its records stay for when it comes back.</summary>
    public void Configure(IEnumerable<string> upstreams)
    {
        lock (_lock)
        {
            _records.Configure(upstreams);
            ClaimRecordsUnderLock();
        }

        _table.TellClaims();
    }

    /// <summary>Keeps the namespaces used so far over a restart; where nothing changed, nothing is written.</summary>
    public void Save()
    {
        (int, NamespaceRecord[]) snapshot;
        lock (_lock)
            snapshot = _records.Snapshot();
        _records.Write(snapshot);
    }

    /// <param name="upstream">The upstream's name.</param>
    /// <param name="uris">Its NamespaceArray.</param>
    /// <param name="first">The first of those to claim.</param>
    /// <param name="seen">That it has before.</param>
    private List<NamespaceClaim?> ClaimAllUnderLock(string upstream, string?[] uris, int first, HashSet<string> seen)
    {
        List<NamespaceClaim?> claims = [];
        for (var i = first; i < Math.Min(uris.Length, _limits.MaxUpstreamNamespaces + 1); i++)
        {
            // A hole in the array still needs an index of its own: nodes may use it.
            var uri = string.IsNullOrEmpty(uris[i]) ? $"urn:gateway:{upstream}:ns{i}" : uris[i]!;
            claims.Add(uri.Length <= _limits.MaxUpstreamTextLength && seen.Add(uri)
                ? ClaimUnderLock(upstream, uri)
                : null);
        }

        return claims;
    }

    private NamespaceClaim ClaimUnderLock(string upstream, string uri)
    {
        if (_claims.TryGetValue((upstream, uri), out var claim))
            return claim;
        var isAnothers = _records.IsNamedAfterAnother(uri, upstream);
        var local = _records.Find(upstream, uri) ?? (isAnothers ? OwnOf(upstream, uri, 1) : uri);
        for (var i = 1; !IsFreeUnderLock(local, upstream, uri); i++)
            local = OwnOf(upstream, uri, i);
        var other = local != uri ? (isAnothers ? local : uri) : OwnOf(upstream, uri, 1);
        for (var i = 2; local == uri && !IsFreeUnderLock(other, upstream, uri); i++)
            other = OwnOf(upstream, uri, i);
        claim = new NamespaceClaim(upstream, uri, local, other);
        _claims.Add((upstream, uri), claim);
        _localUris.Add(local);
        _table.Claim(local);
        return claim;
    }

    /// <summary>No other claim has it, nor has one on record, nor the gateway itself. A publisher whose metadata names
    /// it may be there first, and must not give the upstream's nodes other NodeIds.</summary>
    private bool IsFreeUnderLock(string local, string upstream, string uri) =>
        !_localUris.Contains(local) && !_table.IsOwn(local) && !_records.IsTaken(local, upstream, uri);

    /// <summary>The first is nearly always free; another upstream may have a URI that looks like it.</summary>
    private static string OwnOf(string upstream, string uri, int number) =>
        number == 1 ? $"urn:gateway:{upstream}:{uri}" : $"urn:gateway:{upstream}:{uri}:{number}";

    private void DropUnusedUnderLock(string upstream)
    {
        foreach (var (key, claim) in _claims)
        {
            if (key.Upstream != upstream || claim.Index != 0)
                continue;
            _claims.Remove(key);
            _localUris.Remove(claim.LocalUri);
            _table.Release(claim.LocalUri);
        }
    }

    /// <summary>Before an upstream connects its URIs are its own already.</summary>
    private void ClaimRecordsUnderLock()
    {
        var before = _recorded;
        _recorded = [.. _records.Served];
        _recorded.ForEach(_table.Claim);
        before.ForEach(_table.Release);
    }
}
