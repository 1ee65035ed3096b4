namespace Gateway.Codec.Json;

/// <summary>How a text is written and read: the encoding, the tables of URIs, and the structures that are known.
/// Immutable. Threads: any.</summary>
public sealed class JsonFormat
{
    private readonly IJsonStructures? _structures;
    private readonly bool _hasStructures;

    public static JsonFormat Compact { get; } = new();

    public static JsonFormat Verbose { get; } = new() { Encoding = JsonEncoding.Verbose };

    /// <summary>The encoding to write. A reader accepts every readable encoding.</summary>
    public JsonEncoding Encoding { get; init; }

    public JsonUris Uris { get; init; } = JsonUris.None;

    /// <summary>Default: those that the codec declares, whose table is made when it is first asked for. Null: bodies of
    /// ExtensionObjects are UA Binary inside the JSON.</summary>
    public IJsonStructures? Structures
    {
        get => _hasStructures ? _structures : DeclaredStructures.All;
        init => (_structures, _hasStructures) = (value, true);
    }

    /// <summary>A DataValue's status is called <c>StatusCode</c>, as in the OpenAPI schema of the OPC Foundation, not
    /// <c>Status</c> as in Part 6 §5.4.2.18. A reader takes both.</summary>
    public bool CallsStatusStatusCode { get; init; }

    /// <summary>Int64 and UInt64 up to 2⁵³ are JSON numbers, which every browser reads exactly; larger ones are strings
    /// as always in OPC UA JSON. A reader takes both.</summary>
    public bool WritesInt64AsNumbers { get; init; }

    /// <summary>Neither Variants nor ExtensionObjects say their type: the RawData of PubSub. A reader needs to know the
    /// types of all fields. Source: Part 6 §5.4.1.</summary>
    public bool OmitsTypes { get; init; }

    /// <summary>A Variant or DataValue that stands by itself does not say its type; those inside of it do. Source:
    /// Part 14 §7.2.5.4.2.</summary>
    public bool OmitsOuterType { get; init; }

    /// <summary>The declared ones are known in any case.</summary>
    internal IJsonStructures TypeIds => Structures ?? DeclaredStructures.All;

    internal bool IsDeprecated => Encoding >= JsonEncoding.Reversible;

    internal bool OmitsDefaults => Encoding is JsonEncoding.Compact or JsonEncoding.Reversible;
}
