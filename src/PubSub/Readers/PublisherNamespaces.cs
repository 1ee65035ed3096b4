using Gateway.AddressSpace.Values;

namespace Gateway.PubSub.Readers;

/// <summary>The namespace indexes of a publisher: those of its metadata, from index 1 on. The gateway's index is given
/// at the first use. Owner: its reader, one thread at a time.</summary>
/// <param name="publisher">Its PublisherId.</param>
/// <param name="uris">Of the metadata.</param>
/// <param name="namespaces">Of all readers.</param>
internal sealed class PublisherNamespaces(
    string publisher, IReadOnlyList<string?> uris, ReaderNamespaces namespaces) : INamespaceMap
{
    /// <summary>Made as they are used: a count by itself takes no memory.</summary>
    private readonly Dictionary<ushort, ushort> _local = [];

    public IReadOnlyList<string?> Uris => uris;

    public bool IsIdentity => false;

    public bool TryToLocal(ushort index, out ushort local)
    {
        local = 0;
        if (index == 0 || _local.TryGetValue(index, out local))
            return true;
        if (index > uris.Count || !namespaces.TryGetOrAdd(publisher, uris[index - 1], out local))
            return false;
        _local.Add(index, local);
        return true;
    }

    /// <summary>Nothing goes back to a publisher.</summary>
    public bool TryToOther(ushort index, out ushort other)
    {
        other = 0;
        return index == 0;
    }
}
