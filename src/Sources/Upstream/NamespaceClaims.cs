using Gateway.AddressSpace.Nodes;

namespace Gateway.Sources.Upstream;

/// <summary>
/// Which upstream a namespace URI belongs to. The first to ask keeps the URI; for a later one, and for a URI that the
/// gateway itself or a NodeSet uses, it becomes <c>urn:gateway:&lt;Name&gt;:&lt;uri&gt;</c> (design §9). A claim lasts
/// as long as the process, so that a node keeps its identity over every reconnect. Threads: any.
///</summary>
internal sealed class NamespaceClaims(NamespaceTable table)
{
    private readonly Lock _lock = new();
    private readonly Dictionary<(string Upstream, string Uri), ushort> _claims = [];

    /// <param name="upstream">The upstream's name.</param>
    /// <param name="uri">From its NamespaceArray.</param>
    /// <param name="renamed">The URI that the gateway uses instead, null where it is kept.</param>
    /// <returns>The gateway's index.</returns>
    public ushort Claim(string upstream, string uri, out string? renamed)
    {
        renamed = null;
        if (uri == NamespaceTable.StandardUri)
            return 0;
        lock (_lock)
        {
            if (!_claims.TryGetValue((upstream, uri), out var index))
            {
                var conflict = table.TryGetIndex(uri, out _);
                index = table.GetOrAdd(conflict ? $"urn:gateway:{upstream}:{uri}" : uri);
                _claims.Add((upstream, uri), index);
            }

            if (table.GetUri(index) is { } used && used != uri)
                renamed = used;
            return index;
        }
    }

    /// <param name="upstream">The upstream's name.</param>
    /// <param name="upstreamUris">Its NamespaceArray.</param>
    /// <param name="renamed">Gets (uri, what it became) for each conflict.</param>
    public NamespaceMap Map(string upstream, string?[] upstreamUris, List<(string Uri, string Became)> renamed)
    {
        var toLocal = new ushort[Math.Max(1, upstreamUris.Length)];
        for (var i = 1; i < upstreamUris.Length; i++)
        {
            // A hole in the array still needs an index of its own: nodes may use it.
            var uri = string.IsNullOrEmpty(upstreamUris[i]) ? $"urn:gateway:{upstream}:ns{i}" : upstreamUris[i]!;
            toLocal[i] = Claim(upstream, uri, out var became);
            if (became is not null)
                renamed.Add((uri, became));
        }

        return new NamespaceMap(toLocal);
    }
}
