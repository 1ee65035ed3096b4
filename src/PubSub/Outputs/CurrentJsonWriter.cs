using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Json;
using Gateway.PubSub.Json;
using Gateway.PubSub.Messages;

namespace Gateway.PubSub.Outputs;

/// <summary>The JSON mapping with the namespaces and structures that there are at each message: an upstream brings its
/// own when it connects. Owner: its group.</summary>
internal sealed class CurrentJsonWriter(
    GroupDescription group, NodeTable nodes, TableStructures structures, int limitBytes)
    : INetworkMessageWriter, IDisposable
{
    private string[]? _uris;
    private IJsonStructures? _known;
    private JsonNetworkMessageWriter? _writer;

    public int Length => _writer?.Length ?? 0;

    private JsonNetworkMessageWriter Writer => _writer ?? throw new InvalidOperationException("There is no message.");

    public void Begin(Guid messageId, DateTime timestamp)
    {
        var (uris, known) = (nodes.Namespaces.Uris, structures.Current);
        if (_writer is null || uris != _uris || known != _known)
        {
            _writer?.Dispose();
            (_uris, _known) = (uris, known);
            _writer = new JsonNetworkMessageWriter(
                group, new JsonFormat { Uris = new JsonUris(uris, uris[1..2]), Structures = known }, limitBytes);
        }

        _writer.Begin(messageId, timestamp);
    }

    public bool TryAdd(in DataSetFrame frame) => Writer.TryAdd(frame);

    public ReadOnlyMemory<byte> End() => Writer.End();

    public void Dispose() => _writer?.Dispose();
}
