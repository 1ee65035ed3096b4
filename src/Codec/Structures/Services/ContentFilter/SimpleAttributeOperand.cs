using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

[Structure(601, 603)]
public sealed partial class SimpleAttributeOperand : FilterOperand
{
    public NodeId TypeDefinitionId { get; init; }

    public QualifiedName[]? BrowsePath { get; init; }

    public uint AttributeId { get; init; }

    public string? IndexRange { get; init; }
}
