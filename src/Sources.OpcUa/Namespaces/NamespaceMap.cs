using System.Collections.Concurrent;
using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Values;
using Gateway.Codec.Types;

namespace Gateway.Sources.OpcUa.Namespaces;

/// <summary>
/// An upstream's namespace indexes ↔ the gateway's, for the life of one session: made anew at each connect, because an
/// upstream may come back with another order. Index 0 is the same on both sides and stands for nothing else. The
/// gateway's index is given at the first use. Names keep their URI. Instances keep it where the upstream owns it, types
/// wherever they are the same as those that are served with it: <see cref="Exceptions"/> has the nodes that do not go
/// with the instances. State: each entry once from 0 (not used yet) to its index; the exceptions are replaced whole.
/// Threads: any.
///</summary>
internal sealed class NamespaceMap : INamespaceMap
{
    private static readonly HashSet<NodeId> None = [];

    private readonly NamespaceClaims? _claims;
    private volatile NamespaceClaim?[] _byUpstream;
    private volatile ushort[] _toLocal;
    private readonly ConcurrentDictionary<ushort, ushort> _toUpstream = [];
    private readonly ConcurrentDictionary<ushort, ushort> _otherToUpstream = [];
    private volatile Dictionary<string, ushort> _byUri = [];
    private volatile Dictionary<string, NamespaceClaim> _byLocalUri = [];
    private volatile bool _sameIndexes = true;
    private volatile HashSet<NodeId> _exceptions = None;
    private volatile Dictionary<NodeId, NodeId> _aliases = [];

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
            if (byUpstream[i] is { OtherIndex: not 0 } claim)
                _otherToUpstream.TryAdd(claim.OtherIndex, (ushort)i);
            _sameIndexes &= toLocal[i] == i && byUpstream[i] is not { IsOwner: false };
        }

        IndexUris();
    }

    /// <summary>The upstream's NamespaceArray has grown; what was there stays as it was.</summary>
    public void Grow(IReadOnlyCollection<NamespaceClaim?> more, string?[] told)
    {
        Told = told;
        // The claims have the indexes that were given until now, so those of the old array may be lost.
        var toLocal = new ushort[_toLocal.Length + more.Count];
        _toLocal.CopyTo(toLocal, 0);
        (_sameIndexes, _toLocal) = (false, toLocal);
        _byUpstream = [.. _byUpstream, .. more];
        IndexUris();
    }

    /// <summary>With exceptions of its own; an index is given to both. Until one of them grows.</summary>
    public NamespaceMap Copy()
    {
        var copy = (NamespaceMap)MemberwiseClone();
        copy._exceptions = [.. _exceptions];
        return copy;
    }

    /// <summary>No index changes: every value may pass as its bytes.</summary>
    public bool IsIdentity => _sameIndexes && _exceptions.Count == 0 && _aliases.Count == 0;

    /// <summary>By whose definitions structures are mapped; null: only those of the standard.</summary>
    public TableStructures? Structures { get; init; }

    /// <summary>The NamespaceArray as the upstream has told it.</summary>
    public string?[] Told { get; set; } = [];

    public int Refused { get; }

    /// <summary>Those that have an index here.</summary>
    public int Used => _toUpstream.Count - 1;

    /// <summary>The upstream's ids of nodes that have the claim's other URI: shared types of a URI that another owns,
    /// and own types of its URI that differ from what is served with it.</summary>
    public HashSet<NodeId> Exceptions
    {
        get => _exceptions;
        set => _exceptions = value;
    }

    /// <summary>Ids here that the upstream had before, and the id that it has for the node now. The other way there is
    /// only the new id.</summary>
    public IReadOnlyDictionary<NodeId, NodeId> Aliases => _aliases;

    /// <param name="aliases">The upstream's ids of before, and those of now.</param>
    public void SetAliases(IReadOnlyList<(NodeId Was, NodeId Is)> aliases)
    {
        var byLocal = new Dictionary<NodeId, NodeId>(aliases.Count);
        foreach (var (was, present) in aliases)
        {
            if (TryToLocal(was, out var local))
                byLocal[local] = present;
        }

        _aliases = byLocal;
    }

    /// <summary>The upstream's own array; empty where an entry is refused.</summary>
    public string[] Uris =>
        [NamespaceTable.StandardUri, .. _byUpstream.Skip(1).Select(claim => claim?.Uri ?? "")];

    /// <summary>Those in use whose URI is another here.</summary>
    public IEnumerable<NamespaceClaim> Renamed =>
        _byUpstream.OfType<NamespaceClaim>().Where(claim => claim.Index != 0 && !claim.IsOwner);

    public ValueMapper ToLocal() => new(this, toLocal: true, Structures?.Current);

    public ValueMapper ToUpstream() => new(this, toLocal: false, Structures?.Current);

    /// <summary>A value in which an id stands, or may stand, that means another node here is Uncertain: never silently
    /// wrong.</summary>
    public DataValue ToLocal(in DataValue value)
    {
        var mapper = ToLocal();
        var mapped = value with { Value = mapper.Map(value.Value) };
        return (mapper.Failed || mapper.IsDoubtful) && value.Status.IsGood
            ? mapped with { Status = StatusCodes.Uncertain }
            : mapped;
    }

    public bool TryFindUri(string uri, bool toLocal, out ushort index)
    {
        if (toLocal)
            return _byUri.TryGetValue(uri, out index);
        index = _byLocalUri.GetValueOrDefault(uri) is not { } claim ? (ushort)0
            : claim.LocalUri == uri ? claim.Index
            : claim.OtherIndex;
        return index != 0;
    }

    /// <summary>Whether the index has, or could still get, a counterpart. Gives none.</summary>
    public bool CanMap(ushort index) =>
        index == 0 || (index < _toLocal.Length && (_toLocal[index] != 0 || ClaimOf(index) is not null));

    /// <summary>Null: refused, or the index of nobody.</summary>
    public NamespaceClaim? ClaimOf(ushort index) =>
        _byUpstream is var claims && index < claims.Length ? claims[index] : null;

    /// <summary>Whether the gateway or a NodeSet has the index's URI.</summary>
    public bool IsGateways(ushort index) => ClaimOf(index) is { } claim && _claims?.IsGateways(claim.Uri) == true;

    /// <summary>Of an instance.</summary>
    public bool TryToLocal(ushort index, out ushort local)
    {
        local = 0;
        var toLocal = _toLocal;
        if (index >= toLocal.Length)
            return false;
        local = Volatile.Read(ref toLocal[index]);
        return local != 0 || index == 0 || TryUse(index, out local);
    }

    /// <summary>Of a node that has the URI as the upstream names it.</summary>
    public bool TryNameToLocal(ushort index, out ushort local) =>
        ClaimOf(index) is { IsOwner: false } ? TryOtherToLocal(index, out local) : TryToLocal(index, out local);

    bool INamespaceMap.TryToOther(ushort index, out ushort other) => TryToUpstream(index, out other);

    /// <summary>Of an instance.</summary>
    public bool TryToUpstream(ushort index, out ushort upstream) => _toUpstream.TryGetValue(index, out upstream);

    bool INamespaceMap.TryNameToOther(ushort index, out ushort other) =>
        _toUpstream.TryGetValue(index, out other) || _otherToUpstream.TryGetValue(index, out other);

    /// <summary>False: an index that the upstream's NamespaceArray does not have, or that is refused.</summary>
    public bool TryToLocal(NodeId id, out NodeId local)
    {
        var known = _exceptions.Count > 0 && _exceptions.Contains(id)
            ? TryOtherToLocal(id.NamespaceIndex, out var index)
            : TryToLocal(id.NamespaceIndex, out index);
        local = known ? id.WithNamespace(index) : default;
        return known;
    }

    bool INamespaceMap.TryToOther(NodeId id, out NodeId other) => TryToUpstream(id, out other);

    /// <summary>False: a namespace that the upstream does not have, or another upstream's node of a namespace that both
    /// have.</summary>
    public bool TryToUpstream(NodeId id, out NodeId upstream)
    {
        if (_aliases is { Count: > 0 } aliases && aliases.TryGetValue(id, out upstream))
            return true;
        var exceptions = _exceptions;
        if (TryToUpstream(id.NamespaceIndex, out var index))
        {
            upstream = id.WithNamespace(index);
            if (exceptions.Count == 0 || !exceptions.Contains(upstream))
                return true;
        }

        upstream = default;
        if (!_otherToUpstream.TryGetValue(id.NamespaceIndex, out index) ||
            !exceptions.Contains(id.WithNamespace(index)))
            return false;
        upstream = id.WithNamespace(index);
        return true;
    }

    private void IndexUris()
    {
        var (byUri, byLocalUri) = (new Dictionary<string, ushort>(), new Dictionary<string, NamespaceClaim>());
        for (var i = 1; i < _byUpstream.Length; i++)
        {
            if (_byUpstream[i] is not { } claim)
                continue;
            byUri[claim.Uri] = (ushort)i;
            byLocalUri[claim.LocalUri] = claim;
            byLocalUri.TryAdd(claim.OtherUri, claim);
        }

        (_byUri, _byLocalUri) = (byUri, byLocalUri);
    }

    private bool TryUse(ushort index, out ushort local)
    {
        local = 0;
        if (ClaimOf(index) is not { } claim || _claims is null || !_claims.TryUse(claim))
            return false;
        local = claim.Index;
        _toUpstream.TryAdd(local, index);
        var toLocal = _toLocal;
        Volatile.Write(ref toLocal[index], local);
        return true;
    }

    private bool TryOtherToLocal(ushort index, out ushort local)
    {
        local = 0;
        if (ClaimOf(index) is not { } claim)
            return false;
        if (claim.OtherUri == claim.LocalUri)
            return TryToLocal(index, out local);
        if (_claims is null || !_claims.TryUseOther(claim))
            return false;
        local = claim.OtherIndex;
        _otherToUpstream.TryAdd(local, index);
        return true;
    }
}
