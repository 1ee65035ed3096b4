using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Json;

namespace Gateway.Rest.Services;

/// <summary>The four encodings, with the namespaces that there are now. Threads: any.</summary>
/// <param name="nodes">Whose namespaces are written.</param>
/// <param name="structures">Null: the declared ones alone.</param>
internal sealed class ServiceFormats(NodeTable nodes, IJsonStructures? structures)
{
    private volatile JsonFormat[] _formats = [];
    private int _namespaces = -1;

    public JsonFormat Of(JsonEncoding encoding)
    {
        if (Volatile.Read(ref _namespaces) != nodes.Namespaces.Count)
        {
            var uris = nodes.Namespaces.Uris;
            var table = new JsonUris(uris);
            _formats = Array.ConvertAll(Enum.GetValues<JsonEncoding>(), one => new JsonFormat
            {
                Encoding = one,
                Uris = table,
                Structures = structures ?? DeclaredStructures.All,
            });
            Volatile.Write(ref _namespaces, uris.Length);
        }

        return _formats[(int)encoding];
    }
}
