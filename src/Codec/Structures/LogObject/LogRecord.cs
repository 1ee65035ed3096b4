using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

[Structure(19361, 19379, StructureType = StructureType.StructureWithOptionalFields)]
public sealed partial class LogRecord
{
    public DateTime Time { get; init; }

    public ushort Severity { get; init; }

    [OptionalField]
    public NodeId? EventType { get; init; }

    [OptionalField]
    public NodeId? SourceNode { get; init; }

    [OptionalField]
    public string? SourceName { get; init; }

    public LocalizedText Message { get; init; }

    [OptionalField]
    public TraceContextDataType? TraceContext { get; init; }

    [OptionalField]
    public NameValuePair[]? AdditionalData { get; init; }
}
