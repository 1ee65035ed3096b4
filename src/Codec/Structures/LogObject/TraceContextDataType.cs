namespace Gateway.Codec.Structures;

[Structure(19747, 19755)]
public sealed partial class TraceContextDataType : SpanContextDataType
{
    public ulong ParentSpanId { get; init; }

    public string? ParentIdentifier { get; init; }
}
