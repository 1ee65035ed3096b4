using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

[Structure(14744, 14848)]
public sealed partial class FieldTargetDataType
{
    public Guid DataSetFieldId { get; init; }

    public string? ReceiverIndexRange { get; init; }

    public NodeId TargetNodeId { get; init; }

    public uint AttributeId { get; init; }

    public string? WriteIndexRange { get; init; }

    public OverrideValueHandling OverrideValueHandling { get; init; }

    public Variant OverrideValue { get; init; }
}
