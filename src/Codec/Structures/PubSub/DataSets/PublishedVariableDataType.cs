using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

[Structure(14273, 14323)]
public sealed partial class PublishedVariableDataType
{
    public NodeId PublishedVariable { get; init; }

    public uint AttributeId { get; init; }

    public double SamplingIntervalHint { get; init; }

    public uint DeadbandType { get; init; }

    public double DeadbandValue { get; init; }

    public string? IndexRange { get; init; }

    public Variant SubstituteValue { get; init; }

    public QualifiedName[]? MetaDataProperties { get; init; }
}
