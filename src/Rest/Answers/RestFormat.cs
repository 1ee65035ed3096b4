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
        int Namespaces, IJsonStructures Structures, JsonFormat Resource, JsonFormat[] Services,
        JsonFormat[] OpenApi);

    private volatile Snapshot? _snapshot;

    /// <summary>The form of the resource API: Verbose, so that a structure has all of its fields; ids with the URI of
    /// their namespace.</summary>
    public JsonFormat Current => Get().Resource;

    /// <summary>The form of a service's messages.</summary>
    /// <param name="encoding">Of the message.</param>
    /// <param name="byOpenApi">The status of a DataValue is called <c>StatusCode</c>, as in the OPC Foundation's
    /// OpenAPI document; else <c>Status</c>, as in Part 6 §5.4.2.18.</param>
    public JsonFormat Of(JsonEncoding encoding, bool byOpenApi = false)
    {
        var now = Get();
        return (byOpenApi ? now.OpenApi : now.Services)[(int)encoding];
    }

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
        // Index 1 is this server's own namespace, named by its ApplicationUri.
        var table = new JsonUris(uris, uris.Length > 1 ? [uris[1]] : []);
        return new Snapshot(
            uris.Length, known,
            new JsonFormat
            {
                Encoding = JsonEncoding.Verbose,
                Uris = table,
                Structures = known,
                WritesInt64AsNumbers = true,
            },
            OfServices(table, known, byOpenApi: false), OfServices(table, known, byOpenApi: true));
    }

    private static JsonFormat[] OfServices(JsonUris uris, IJsonStructures known, bool byOpenApi) =>
        Array.ConvertAll(Enum.GetValues<JsonEncoding>(), one => new JsonFormat
        {
            Encoding = one,
            Uris = uris,
            Structures = known,
            CallsStatusStatusCode = byOpenApi,
        });
}
