using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Json;

namespace Gateway.Rest.Services;

/// <summary>The four encodings, with the namespaces and structures that there are now. Threads: any.</summary>
/// <param name="nodes">With the namespaces.</param>
/// <param name="structures">Of the same table.</param>
internal sealed class ServiceFormats(NodeTable nodes, TableStructures structures)
{
    private sealed record Snapshot(int Namespaces, IJsonStructures Structures, JsonFormat[] Formats);

    private volatile Snapshot? _snapshot;

    public JsonFormat Of(JsonEncoding encoding)
    {
        var snapshot = _snapshot;
        var known = structures.Current;
        if (snapshot is null || snapshot.Namespaces != nodes.Namespaces.Count || snapshot.Structures != known)
            _snapshot = snapshot = Make(known);
        return snapshot.Formats[(int)encoding];
    }

    private Snapshot Make(IJsonStructures known)
    {
        var uris = nodes.Namespaces.Uris;
        var table = new JsonUris(uris);
        return new Snapshot(
            uris.Length, known,
            Array.ConvertAll(Enum.GetValues<JsonEncoding>(), one => new JsonFormat
            {
                Encoding = one,
                Uris = table,
                Structures = known,
            }));
    }
}
