using Gateway.AddressSpace.Nodes;

namespace Gateway.PubSub.Readers;

/// <summary>The namespaces that publishers name. A namespace stays for good, and whoever may write to a topic of
/// metadata can name any: so each publisher, and all of them together, bring only so many (R04). One that names too
/// many takes nothing of the others' share. Owner: the readers. Threads: any.</summary>
internal sealed class ReaderNamespaces(NamespaceTable table)
{
    /// <summary>Of the table's 65,536.</summary>
    public const int Most = 4096;

    public const int MostOfPublisher = 64;

    private const int MaxLength = 4096;

    private readonly Lock _lock = new();
    private readonly Dictionary<string, int> _added = new(StringComparer.Ordinal);
    private int _all;

    /// <summary>False: the publisher's readers have brought enough, or it is no URI for the table.</summary>
    /// <param name="publisher">The PublisherId of the configuration that names it.</param>
    /// <param name="uri">Of its metadata.</param>
    /// <param name="index">Here.</param>
    public bool TryGetOrAdd(string publisher, string? uri, out ushort index)
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
            var own = _added.GetValueOrDefault(publisher);
            if (own == MostOfPublisher || _all == Most || !table.TryGetOrAdd(uri, out index))
                return false;
            (_added[publisher], _all) = (own + 1, _all + 1);
            return true;
        }
    }
}
