using System.Text.Json.Nodes;

namespace Gateway.Host.Importing;

/// <summary>The nodes that one writer of the file publishes at one interval.</summary>
internal sealed class ImportedDataSet
{
    private readonly HashSet<string> _nodes = new(StringComparer.Ordinal);
    private readonly HashSet<string> _names = new(StringComparer.Ordinal);
    private readonly JsonArray _plain = [];
    private readonly JsonArray _fields = [];

    public required string Name { get; init; }

    public required int WriterId { get; init; }

    /// <summary>Of the nodes that say nothing else.</summary>
    public required double SamplingMs { get; init; }

    public int? KeyFrameCount { get; init; }

    public bool IsEmpty => _nodes.Count == 0;

    /// <summary>A node that is there twice is one field. So is a name: the second one keeps its node's.</summary>
    public void Add(string node, string name, double samplingMs, double? deadband, ImportNotes notes)
    {
        var isWildcard = node.EndsWith("/*", StringComparison.Ordinal) ||
            node.EndsWith("/**", StringComparison.Ordinal);
        if (!_nodes.Add(node))
        {
            notes.Decided($"{Name}: a node that is there twice is one field");
            return;
        }

        if (name.Length > 0 && !_names.Add(name))
        {
            notes.Lost($"the name '{name}' in {Name}: another field has it");
            name = string.Empty;
        }

        var hasOwnSampling = !samplingMs.Equals(SamplingMs);
        if (isWildcard || (name.Length == 0 && !hasOwnSampling && deadband is null))
        {
            if (isWildcard && (name.Length > 0 || hasOwnSampling || deadband is not null))
                notes.Lost($"name, sampling interval and deadband of {node} in {Name}: it stands for many nodes");
            _plain.Add((JsonNode)node);
            return;
        }

        var field = new JsonObject { ["Node"] = node };
        if (name.Length > 0)
            field[nameof(Name)] = name;
        if (hasOwnSampling)
            field["SamplingIntervalMs"] = samplingMs;
        if (deadband is { } least)
            field["Deadband"] = least;
        _fields.Add((JsonNode)field);
    }

    public JsonObject ToJson()
    {
        var json = new JsonObject { [nameof(Name)] = Name };
        if (_fields.Count > 0)
            json["Fields"] = _fields;
        if (_plain.Count > 0)
            json["Nodes"] = _plain;
        json["SamplingIntervalMs"] = SamplingMs;
        if (KeyFrameCount is { } count)
            json[nameof(KeyFrameCount)] = count;
        return json;
    }
}
