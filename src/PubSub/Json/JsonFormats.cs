using Gateway.Codec.Json;
using Gateway.Codec.Structures;

namespace Gateway.PubSub.Json;

/// <summary>The encodings of fields with one set of URIs and structures. Immutable. Source: Part 14 §6.3.2.3.1,
/// Table 112.</summary>
internal sealed class JsonFormats(JsonFormat values)
{
    public JsonFormat Compact { get; } = Make(values, JsonEncoding.Compact);

    public JsonFormat Verbose { get; } = Make(values, JsonEncoding.Verbose);

    /// <summary>For values whose type is in the metadata.</summary>
    public JsonFormat VerboseKnown { get; } = Make(values, JsonEncoding.Verbose, omitsOuter: true);

    public JsonFormat Raw { get; } = Make(values, JsonEncoding.Verbose, omits: true);

    public JsonFormat Reversible { get; } = Make(values, JsonEncoding.Reversible);

    public JsonFormat NonReversible { get; } = Make(values, JsonEncoding.NonReversible);

    /// <summary>FieldEncoding2 alone: Verbose; both: Compact; FieldEncoding1 alone: Reversible; none: NonReversible.
    /// RawData is an option of Verbose.</summary>
    public JsonFormat Of(JsonDataSetMessageContentMask mask, DataSetFieldContentMask fields)
    {
        var isFirst = (mask & JsonDataSetMessageContentMask.FieldEncoding1) != 0;
        if ((mask & JsonDataSetMessageContentMask.FieldEncoding2) == 0)
            return isFirst ? Reversible : NonReversible;
        if (isFirst)
            return Compact;
        return (fields & DataSetFieldContentMask.RawData) != 0 ? Raw : Verbose;
    }

    private static JsonFormat Make(
        JsonFormat values, JsonEncoding encoding, bool omitsOuter = false, bool omits = false) => new()
        {
            Encoding = encoding,
            Uris = values.Uris,
            Structures = values.Structures,
            OmitsOuterType = omitsOuter,
            OmitsTypes = omits,
        };
}
