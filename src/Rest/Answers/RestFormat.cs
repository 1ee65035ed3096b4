using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Json;

namespace Gateway.Rest.Answers;

/// <summary>The JSON form of values and node ids: Verbose, so that a structure has all of its fields; ids with the URI
/// of their namespace. Threads: any.</summary>
/// <param name="nodes">The table with the namespaces.</param>
/// <param name="structures">The structures of the same table.</param>
internal sealed class RestFormat(NodeTable nodes, TableStructures structures)
{
    private sealed record Snapshot(int Namespaces, IJsonStructures Structures, JsonFormat Format);

    private volatile Snapshot? _snapshot;

    /// <summary>With the present namespaces and structures: the same object while they do not change.</summary>
    public JsonFormat Current
    {
        get
        {
            var snapshot = _snapshot;
            var count = nodes.Namespaces.Count;
            var known = structures.Current;
            if (snapshot is not null && snapshot.Namespaces == count && snapshot.Structures == known)
                return snapshot.Format;
            var uris = nodes.Namespaces.Uris;
            var format = new JsonFormat
            {
                Encoding = JsonEncoding.Verbose,
                Uris = new JsonUris(uris),
                Structures = known,
                WritesInt64AsNumbers = true,
            };
            _snapshot = new Snapshot(uris.Length, known, format);
            return format;
        }
    }
}
