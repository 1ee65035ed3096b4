using Gateway.Codec.Types;

namespace Gateway.AddressSpace.Values;

/// <summary>The namespace indexes of another side (an upstream, a publisher) ↔ the gateway's. Index 0 is the same on
/// both sides. A side whose nodes and names keep the same namespaces implements only the indexes.</summary>
public interface INamespaceMap
{
    /// <summary>Nothing changes.</summary>
    bool IsIdentity { get; }

    /// <summary>False: there is no counterpart.</summary>
    bool TryToLocal(ushort index, out ushort local);

    /// <summary>False: there is no counterpart.</summary>
    bool TryToOther(ushort index, out ushort other);

    /// <summary>False: there is no counterpart.</summary>
    bool TryToLocal(NodeId id, out NodeId local)
    {
        var isKnown = TryToLocal(id.NamespaceIndex, out var index);
        local = isKnown ? id.WithNamespace(index) : default;
        return isKnown;
    }

    /// <summary>False: there is no counterpart.</summary>
    bool TryToOther(NodeId id, out NodeId other)
    {
        var isKnown = TryToOther(id.NamespaceIndex, out var index);
        other = isKnown ? id.WithNamespace(index) : default;
        return isKnown;
    }

    /// <summary>Of a name's namespace. False: there is no counterpart.</summary>
    bool TryNameToLocal(ushort index, out ushort local) => TryToLocal(index, out local);

    /// <summary>Of a name's namespace. False: there is no counterpart.</summary>
    bool TryNameToOther(ushort index, out ushort other) => TryToOther(index, out other);

    /// <summary>The index of a URI on the side that is mapped from. False: it has no such URI, and ids with it stay as
    /// they are.</summary>
    bool TryFindUri(string uri, bool toLocal, out ushort index)
    {
        index = 0;
        return false;
    }
}
