using System.Collections.Frozen;
using Gateway.Codec.Structures;

namespace Gateway.PubSub.Json;

/// <summary>How the fields of one metadata are read, by name. Immutable.</summary>
internal sealed class JsonReaderPlan
{
    private readonly FrozenDictionary<string, int> _indexes;

    public JsonReaderPlan(DataSetMetaDataType metaData)
    {
        Fields = [.. (metaData.Fields ?? []).Select(field => new JsonFieldPlan(field, metaData))];
        _indexes = (metaData.Fields ?? []).Select(static (field, index) => (Name: field.Name ?? "", index))
            .DistinctBy(static one => one.Name, StringComparer.Ordinal)
            .ToFrozenDictionary(static one => one.Name, static one => one.index, StringComparer.Ordinal);
    }

    public JsonFieldPlan[] Fields { get; }

    /// <summary>−1: unknown.</summary>
    public int IndexOf(string name) => _indexes.GetValueOrDefault(name, -1);
}
