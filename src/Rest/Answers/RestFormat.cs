using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Json;

namespace Gateway.Rest.Answers;

/// <summary>How values and node ids stand in JSON: Compact, ids by the URI of their namespace. Threads: any.</summary>
/// <param name="nodes">Whose namespaces are written.</param>
/// <param name="structures">Null: bodies of structures stay UA Binary.</param>
internal sealed class RestFormat(NodeTable nodes, IJsonStructures? structures)
{
    private sealed record Snapshot(int Namespaces, JsonFormat Format);

    private volatile Snapshot _snapshot = new(0, JsonFormat.Compact);

    /// <summary>With the namespaces that there are now.</summary>
    public JsonFormat Current
    {
        get
        {
            var snapshot = _snapshot;
            var count = nodes.Namespaces.Count;
            if (snapshot.Namespaces == count)
                return snapshot.Format;
            var uris = nodes.Namespaces.Uris;
            var format = new JsonFormat
            {
                Uris = new JsonUris(uris),
                Structures = structures,
                WritesInt64AsNumbers = true,
            };
            _snapshot = new Snapshot(uris.Length, format);
            return format;
        }
    }
}
