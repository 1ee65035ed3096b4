namespace Gateway.Codec.Structures;

[Structure(19746, 19754)]
public partial class SpanContextDataType
{
    public Guid TraceId { get; init; }

    public ulong SpanId { get; init; }
}
