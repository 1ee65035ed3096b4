using System.Globalization;
using System.Text.Json.Nodes;

namespace Gateway.Host.Importing;

/// <summary>Makes <c>PubSub</c> of the entries' groups and writers. A group of the gateway has one interval: one of the
/// file with several becomes several.</summary>
/// <param name="address">Of the broker, which the file does not name.</param>
/// <param name="notes">Gets what could not be taken.</param>
internal sealed class PubSubImport(string address, ImportNotes notes)
{
    /// <summary>Of the publisher.</summary>
    private const double DefaultMs = 1_000;

    private const double MostMs = 86_400_000;
    private const double KeepAliveMs = 10_000;

    private readonly List<ImportedDataSet> _dataSets = [];
    private readonly Dictionary<(string Group, string Writer, double Ms, string Encoding), ImportedDataSet> _byWriter =
        [];

    private readonly Dictionary<(string Group, double Ms, string Encoding), List<ImportedDataSet>> _groups = [];

    /// <summary>One entry of the file.</summary>
    /// <param name="upstream">Its server.</param>
    /// <param name="entry">Its settings.</param>
    /// <param name="nodes">Its nodes with their ids here.</param>
    public void Add(
        ImportedUpstream upstream, JsonSettings entry, IEnumerable<(string Id, JsonSettings Settings)> nodes)
    {
        var group = UniqueNames.Level(TextOr(entry.Text("DataSetWriterGroup", "WriterGroupId"), upstream.Name));
        var writer = UniqueNames.Level(TextOr(entry.Text("DataSetWriterId", "DataSetName"), upstream.Name));
        entry.Ignore("DataSetName", "DataSetClassId", "DataSetDescription");
        var publishing = entry.Milliseconds("DataSetPublishingInterval") ?? DefaultMs;
        var sampling = Bounded(entry.Milliseconds("DataSetSamplingInterval") ?? DefaultMs, 0);
        var keyFrames = (int?)entry.Number("DataSetKeyFrameCount");
        var encoding = EncodingOf(entry.Text("MessageEncoding"));
        foreach (var (id, node) in nodes)
        {
            var ms = Bounded(node.Milliseconds("OpcPublishingInterval") ?? publishing, 1);
            upstream.FastestMs = Math.Min(upstream.FastestMs, ms);
            DataSetOf((group, writer, ms, encoding), sampling, keyFrames).Add(
                id, node.Text("DataSetFieldId", "DisplayName"),
                Bounded(node.Milliseconds("OpcSamplingInterval") ?? sampling, 0), DeadbandOf(node), notes);
            node.TellRest("a node");
        }
    }

    public bool IsEmpty => _dataSets.TrueForAll(static one => one.IsEmpty);

    public JsonObject ToJson() => new()
    {
        ["DataSets"] = new JsonArray([.. _dataSets.Select(static one => one.ToJson())]),
        ["Connections"] = new JsonArray(new JsonObject
        {
            ["Name"] = "broker",
            ["Address"] = address,
            ["WriterGroups"] = Groups(),
        }),
    };

    private JsonArray Groups()
    {
        var groups = new JsonArray();
        var names = new HashSet<string>(StringComparer.Ordinal);
        foreach (var ((name, ms, encoding), dataSets) in _groups)
        {
            var unique = UniqueNames.Make(name, one => names.Contains(one));
            names.Add(unique);
            if (unique != name)
                notes.Decided($"the group {name} has several intervals or encodings: {unique} is one of its parts");
            var group = new JsonObject
            {
                ["Name"] = unique,
                ["WriterGroupId"] = groups.Count + 1,
                ["Encoding"] = encoding,
                ["PublishingIntervalMs"] = ms,
            };
            if (ms > KeepAliveMs)
                group["KeepAliveMs"] = ms;
            group["DataSetWriters"] = new JsonArray([.. dataSets.Select(static one => new JsonObject
            {
                ["Name"] = one.Name,
                ["DataSetWriterId"] = one.WriterId,
                ["DataSet"] = one.Name,
            })]);
            groups.Add((JsonNode)group);
        }

        return groups;
    }

    private ImportedDataSet DataSetOf(
        (string Group, string Writer, double Ms, string Encoding) key, double sampling, int? keyFrames)
    {
        if (_byWriter.TryGetValue(key, out var known))
            return known;
        if (keyFrames < 1)
            notes.Lost($"DataSetKeyFrameCount {keyFrames}: the gateway sends key frames at least every 10 intervals");
        var made = new ImportedDataSet
        {
            Name = UniqueNames.Make(key.Writer, name => _dataSets.Exists(one => one.Name == name)),
            WriterId = WriterIdOf(key.Writer),
            SamplingMs = sampling,
            KeyFrameCount = keyFrames >= 1 ? keyFrames : null,
        };
        if (made.Name != key.Writer)
            notes.Decided($"the writer {key.Writer} has several parts: {made.Name} is one of them");
        _byWriter.Add(key, made);
        _dataSets.Add(made);
        var group = (key.Group, key.Ms, key.Encoding);
        if (!_groups.TryGetValue(group, out var members))
            _groups.Add(group, members = []);
        members.Add(made);
        return made;
    }

    /// <summary>The file's own where it is a number.</summary>
    private int WriterIdOf(string writer)
    {
        var isFree = int.TryParse(writer, NumberStyles.None, CultureInfo.InvariantCulture, out var id) &&
            id is > 0 and <= ushort.MaxValue;
        if (!isFree)
            id = 1;
        while (_dataSets.Exists(one => one.WriterId == id))
            id++;
        return id;
    }

    private string EncodingOf(string text)
    {
        switch (text.ToUpperInvariant())
        {
            case "" or "JSON":
                return "json";
            case "JSONREVERSIBLE":
                return "json-reversible";
            case "UADP":
                return "uadp";
            default:
                notes.Lost($"MessageEncoding '{text}': the gateway writes json");
                return "json";
        }
    }

    private double? DeadbandOf(JsonSettings node)
    {
        var (type, value) = (node.Text("DeadbandType"), node.Number("DeadbandValue"));
        if (value is not > 0 || type.Equals("None", StringComparison.OrdinalIgnoreCase))
            return null;
        if (!type.Equals("Percent", StringComparison.OrdinalIgnoreCase))
            return value;
        notes.Lost("DeadbandType Percent: the gateway knows absolute ones");
        return null;
    }

    private static string TextOr(string text, string otherwise) => text.Length > 0 ? text : otherwise;

    private static double Bounded(double ms, double least) => Math.Clamp(ms, least, MostMs);
}
