using System.Collections.Concurrent;
using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Values;
using Gateway.Codec.Types;

namespace Gateway.Sources.OpcUa.Namespaces;

/// <summary>
/// An upstream's namespace indexes ↔ the gateway's, for the life of one session: made anew at each connect, because an
/// upstream may come back with another order. Index 0 is the same on both sides and stands for nothing else. The
/// gateway's index is given at the first use. State: each entry once from 0 (not used yet) to its index. Threads: any.
///</summary>
internal sealed class NamespaceMap : INamespaceMap
{
    private readonly NamespaceClaims? _claims;
    private readonly NamespaceClaim?[] _byUpstream;
    private readonly ushort[] _toLocal;
    private readonly ConcurrentDictionary<ushort, ushort> _toUpstream = [];

    /// <param name="claims">Gives indexes.</param>
    /// <param name="byUpstream">The claim by the upstream's index; null: refused.</param>
    /// <param name="refused">Entries of the NamespaceArray that nodes cannot be in.</param>
    public NamespaceMap(NamespaceClaims claims, NamespaceClaim?[] byUpstream, int refused)
        : this(new ushort[byUpstream.Length], byUpstream)
    {
        _claims = claims;
        Refused = refused;
    }

    /// <summary>With all indexes given; 0 beyond the first: refused.</summary>
    internal NamespaceMap(ushort[] toLocal)
        : this(toLocal, new NamespaceClaim?[toLocal.Length])
    {
    }

    private NamespaceMap(ushort[] toLocal, NamespaceClaim?[] byUpstream)
    {
        _toLocal = toLocal;
        _byUpstream = byUpstream;
        _toUpstream[0] = 0;
        for (var i = 1; i < toLocal.Length; i++)
        {
            if (toLocal[i] == 0)
                toLocal[i] = byUpstream[i]?.Index ?? 0;
            if (toLocal[i] != 0)
                _toUpstream.TryAdd(toLocal[i], (ushort)i);
            IsIdentity &= toLocal[i] == i;
        }
    }

    /// <summary>No index changes: every value may pass as its bytes.</summary>
    public bool IsIdentity { get; } = true;

    public int Refused { get; }

    /// <summary>Those that have an index here.</summary>
    public int Used => _toUpstream.Count - 1;

    /// <summary>The upstream's own array; empty where an entry is refused.</summary>
    public string[] Uris =>
        [NamespaceTable.StandardUri, .. _byUpstream.Skip(1).Select(claim => claim?.Uri ?? "")];

    /// <summary>Those in use whose URI is another here.</summary>
    public IEnumerable<NamespaceClaim> Renamed =>
        _byUpstream.OfType<NamespaceClaim>().Where(claim => claim.Index != 0 && claim.LocalUri != claim.Uri);

    /// <summary>Whether the index has, or could still get, a counterpart. Gives none.</summary>
    public bool CanMap(ushort index) =>
        index == 0 || (index < _toLocal.Length && (_toLocal[index] != 0 || _byUpstream[index] is not null));

    public bool TryToLocal(ushort index, out ushort local)
    {
        local = 0;
        if (index >= _toLocal.Length)
            return false;
        local = Volatile.Read(ref _toLocal[index]);
        return local != 0 || index == 0 || TryUse(index, out local);
    }

    bool INamespaceMap.TryToOther(ushort index, out ushort other) => TryToUpstream(index, out other);

    public bool TryToUpstream(ushort index, out ushort upstream) => _toUpstream.TryGetValue(index, out upstream);

    /// <summary>False: an index that the upstream's NamespaceArray does not have, or that is refused.</summary>
    public bool TryToLocal(NodeId id, out NodeId local)
    {
        var known = TryToLocal(id.NamespaceIndex, out var index);
        local = known ? id.WithNamespace(index) : default;
        return known;
    }

    /// <summary>False: a namespace that the upstream does not have.</summary>
    public bool TryToUpstream(NodeId id, out NodeId upstream)
    {
        var known = TryToUpstream(id.NamespaceIndex, out var index);
        upstream = known ? id.WithNamespace(index) : default;
        return known;
    }

    private bool TryUse(ushort index, out ushort local)
    {
        local = 0;
        if (_byUpstream[index] is not { } claim || _claims is null || !_claims.TryUse(claim))
            return false;
        local = claim.Index;
        _toUpstream.TryAdd(local, index);
        Volatile.Write(ref _toLocal[index], local);
        return true;
    }
}
