using System.Collections.Frozen;
using Gateway.Codec.Types;

namespace Gateway.Sources.Upstream;

/// <summary>
/// An upstream's namespace indexes ↔ the gateway's, for the life of one session: made anew at each connect, because an
/// upstream may come back with another order. Index 0 is the same on both sides. Immutable.
///</summary>
internal sealed class NamespaceMap
{
    private readonly ushort[] _toLocal;
    private readonly FrozenDictionary<ushort, ushort> _toUpstream;

    /// <param name="toLocal">The gateway's index by the upstream's.</param>
    public NamespaceMap(ushort[] toLocal)
    {
        _toLocal = toLocal;
        var back = new Dictionary<ushort, ushort>();
        for (var i = 0; i < toLocal.Length; i++)
        {
            back.TryAdd(toLocal[i], (ushort)i);
            IsIdentity &= toLocal[i] == i;
        }

        _toUpstream = back.ToFrozenDictionary();
    }

    public static NamespaceMap Identity { get; } = new([0]);

    /// <summary>No index changes: every value may pass as its bytes.</summary>
    public bool IsIdentity { get; } = true;

    public bool TryToLocal(ushort index, out ushort local)
    {
        local = index < _toLocal.Length ? _toLocal[index] : (ushort)0;
        return index < _toLocal.Length;
    }

    public bool TryToUpstream(ushort index, out ushort upstream) => _toUpstream.TryGetValue(index, out upstream);

    /// <summary>False: an index that the upstream's NamespaceArray does not have.</summary>
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
}
