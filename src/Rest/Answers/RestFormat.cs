using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Json;

namespace Gateway.Rest.Answers;

/// <summary>The JSON forms of values and node ids, with the present namespaces and structures: the same objects while
/// these do not change. Threads: any.</summary>
/// <param name="nodes">The table with the namespaces.</param>
/// <param name="structures">The structures of the same table.</param>
internal sealed class RestFormat(NodeTable nodes, TableStructures structures)
{
    private sealed record Snapshot(
        int Namespaces, IJsonStructures Structures, JsonFormat Resource, JsonFormat[] Services);

    private volatile Snapshot? _snapshot;

    /// <summary>The form of the resource API: Verbose, so that a structure has all of its fields; ids with the URI of
    /// their namespace.</summary>
    public JsonFormat Current => Get().Resource;

    /// <summary>The form of the services below <c>/opcua</c>.</summary>
    public JsonFormat Of(JsonEncoding encoding) => Get().Services[(int)encoding];

    private Snapshot Get()
    {
        var known = structures.Current;
        if (_snapshot is { } snapshot && snapshot.Namespaces == nodes.Namespaces.Count &&
            snapshot.Structures == known)
        {
            return snapshot;
        }

        return _snapshot = Make(known);
    }

    private Snapshot Make(IJsonStructures known)
    {
        var uris = nodes.Namespaces.Uris;
        var table = new JsonUris(uris);
        return new Snapshot(
            uris.Length, known,
            new JsonFormat
            {
                Encoding = JsonEncoding.Verbose,
                Uris = table,
                Structures = known,
                WritesInt64AsNumbers = true,
            },
            Array.ConvertAll(Enum.GetValues<JsonEncoding>(), one => new JsonFormat
            {
                Encoding = one,
                Uris = table,
                Structures = known,
            }));
    }
}
