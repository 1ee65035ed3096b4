using System.Text.Json;
using System.Text.Json.Nodes;
using Gateway.Host.Configuration.Upstreams;

namespace Gateway.Host.Importing;

/// <summary>Reads the published-nodes file of OPC Publisher: its entries name a server each, and nodes of it with the
/// writer that publishes them.</summary>
/// <param name="namespaces">The URIs that the user gave for indexes of servers.</param>
/// <param name="broker">Its address.</param>
/// <param name="withPasswords">They are printed.</param>
internal sealed class PublishedNodesImport(
    IReadOnlyDictionary<ushort, string> namespaces, string broker, bool withPasswords)
{
    private readonly ImportNotes _notes = new();

    public ImportNotes Notes => _notes;

    /// <summary>Errors: <see cref="JsonException"/>, <see cref="InvalidDataException"/>.</summary>
    public JsonObject Convert(string text)
    {
        using var file = JsonDocument.Parse(text, new JsonDocumentOptions
        {
            AllowTrailingCommas = true,
            CommentHandling = JsonCommentHandling.Skip,
        });
        if (file.RootElement.ValueKind != JsonValueKind.Array)
            throw new InvalidDataException("it is no list of entries, as a published-nodes file is");
        var upstreams = new UpstreamImport(withPasswords, _notes);
        var (nodes, pubSub) = (new NodeImport(namespaces, _notes), new PubSubImport(broker, _notes));
        foreach (var element in file.RootElement.EnumerateArray())
        {
            var entry = new JsonSettings(element, _notes);
            if (upstreams.Of(entry) is not { } upstream)
                continue;
            pubSub.Add(upstream, entry, NodesOf(entry, upstream, nodes));
            entry.Ignore("Version", "LastChangeDateTime", "LastChangeTimespan", "LastChange");
            entry.TellRest("an entry");
        }

        var result = new JsonObject { [UpstreamSections.Section] = upstreams.ToJson() };
        if (!pubSub.IsEmpty)
            result["PubSub"] = pubSub.ToJson();
        return result;
    }

    private IEnumerable<(string Id, JsonSettings Settings)> NodesOf(
        JsonSettings entry, ImportedUpstream upstream, NodeImport nodes)
    {
        var listed = entry.List("OpcNodes").ToList();
        // The first form of the file: one node an entry.
        if (entry.Element("NodeId") is { } single)
            listed.Add(single);
        foreach (var element in listed)
        {
            var node = new JsonSettings(element, _notes);
            var text = element.ValueKind == JsonValueKind.String
                ? element.GetString()!
                : node.Text("ExpandedNodeId", "Id", "Identifier");
            if (nodes.IdOf(upstream, text) is { } id)
                yield return (id, node);
        }
    }
}
