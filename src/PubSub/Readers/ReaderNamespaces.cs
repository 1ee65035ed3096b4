using Gateway.AddressSpace.Nodes;

namespace Gateway.PubSub.Readers;

/// <summary>The namespaces that publishers name. A namespace stays for good, and whoever may write to a topic of
/// metadata can name any: so all readers together bring only so many (R04). Owner: the readers. Threads: any.</summary>
internal sealed class ReaderNamespaces(NamespaceTable table)
{
    /// <summary>Of the table's 65,536.</summary>
    public const int Most = 256;

    private const int MaxLength = 4096;

    private readonly Lock _lock = new();
    private int _added;

    /// <summary>False: the readers have brought enough, or it is no URI for the table.</summary>
    public bool TryGetOrAdd(string? uri, out ushort index)
    {
        index = 0;
        if (string.IsNullOrEmpty(uri) || uri.Length > MaxLength)
            return false;
        if (table.TryGetIndex(uri, out index))
            return true;
        lock (_lock)
        {
            if (table.TryGetIndex(uri, out index))
                return true;
            if (_added == Most || !table.TryGetOrAdd(uri, out index))
                return false;
            _added++;
            return true;
        }
    }
}
