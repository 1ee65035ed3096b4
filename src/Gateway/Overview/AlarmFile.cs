using System.Text.Json;
using System.Text.Json.Serialization;
using Gateway.Codec.Types;
using Gateway.Events.Conditions;
using Gateway.Store.Files;

namespace Gateway.Host.Overview;

/// <summary>The gateway's own alarms in a file: JSON, the NodeIds with the URIs of their namespaces. It has names of
/// users: others cannot read it. Owner: the keeper.</summary>
/// <param name="path">Absolute.</param>
/// <param name="uris">The namespaces of now.</param>
internal sealed class AlarmFile(string path, Func<string[]> uris)
{
    /// <summary>Far above all alarms that there may be.</summary>
    private const long MaxBytes = 64 * 1024 * 1024;

    /// <summary>Stands for a namespace that is not there any more.</summary>
    private const ushort NoNamespace = ushort.MaxValue;

    private (string[] Uris, JsonSerializerOptions Json)? _options;

    public string Path => path;

    /// <summary>Those about a node of a namespace that is not there are left out: nobody could say who may see them
    /// (R36).</summary>
    /// <exception cref="IOException">The disk failed.</exception>
    /// <exception cref="UnauthorizedAccessException">The gateway may not read it.</exception>
    /// <exception cref="JsonException">It was not written by a gateway.</exception>
    public IReadOnlyList<KeptCondition> Read()
    {
        if (!File.Exists(path))
            return [];
        if (new FileInfo(path).Length > MaxBytes)
            throw new JsonException($"it has more than {MaxBytes} bytes");
        var kept = JsonSerializer.Deserialize<List<KeptCondition>>(File.ReadAllBytes(path), Options()) ?? [];
        return kept.FindAll(static one =>
            one is { ConditionName: not null, SourceName: not null, Source.NamespaceIndex: not NoNamespace } &&
            one.States?.All(IsWhole) == true);
    }

    /// <exception cref="IOException">The old file is still there.</exception>
    /// <exception cref="UnauthorizedAccessException">The old file is still there.</exception>
    public void Write(IReadOnlyList<KeptCondition> kept) => WholeFile.Replace(path, stream =>
    {
        if (stream is FileStream file && !OperatingSystem.IsWindows())
            File.SetUnixFileMode(file.SafeFileHandle, UnixFileMode.UserRead | UnixFileMode.UserWrite);
        JsonSerializer.Serialize(stream, kept, Options());
    });

    /// <summary>Its next write takes nothing away.</summary>
    /// <returns>Where the file is now; one that was put aside earlier is gone.</returns>
    /// <exception cref="IOException">It is still there.</exception>
    /// <exception cref="UnauthorizedAccessException">It is still there.</exception>
    public string PutAside()
    {
        var aside = path + ".unreadable";
        File.Move(path, aside, overwrite: true);
        return aside;
    }

    private static bool IsWhole(KeptState? state) =>
        state?.EventIds is { } ids && ids.All(static id => id is not null) && state.Message is not null;

    /// <summary>Made anew where namespaces have come: the serializer learns the types again each time.</summary>
    private JsonSerializerOptions Options()
    {
        var now = uris();
        if (_options is not { } made || !made.Uris.AsSpan().SequenceEqual(now))
            _options = made = (now, new JsonSerializerOptions
            {
                Converters = { new NodeIdConverter(now), new TextConverter() },
                DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingDefault,
            });
        return made.Json;
    }

    private sealed class NodeIdConverter(string[] namespaces) : JsonConverter<NodeId>
    {
        public override NodeId Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options)
        {
            var text = reader.GetString() ?? "";
            if (NodeIdText.TryParse(text, namespaces, out var id))
                return id;
            return NodeIdText.TryParse(text, out ExpandedNodeId _)
                ? new NodeId(0u, NoNamespace)
                : throw new JsonException("expected a node id");
        }

        public override void Write(Utf8JsonWriter writer, NodeId value, JsonSerializerOptions options) =>
            writer.WriteStringValue(NodeIdText.Format(value, namespaces));
    }

    /// <summary>The locale and the text.</summary>
    private sealed class TextConverter : JsonConverter<LocalizedText>
    {
        public override LocalizedText Read(
            ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options)
        {
            var parts = JsonSerializer.Deserialize<string?[]>(ref reader) ?? [];
            return parts.Length == 2 ? new LocalizedText(parts[1], parts[0]) : default;
        }

        public override void Write(Utf8JsonWriter writer, LocalizedText value, JsonSerializerOptions options)
        {
            writer.WriteStartArray();
            writer.WriteStringValue(value.Locale);
            writer.WriteStringValue(value.Text);
            writer.WriteEndArray();
        }
    }
}
