using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

[Structure(598, 600)]
public sealed partial class AttributeOperand : FilterOperand
{
    public NodeId NodeId { get; init; }

    public string? Alias { get; init; }

    public RelativePath BrowsePath { get; init; } = new();

    public uint AttributeId { get; init; }

    public string? IndexRange { get; init; }
}
