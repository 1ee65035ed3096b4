using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

[Structure(514, 516)]
public readonly partial record struct BrowseDescription
{
    public NodeId NodeId { get; init; }

    public BrowseDirection BrowseDirection { get; init; }

    public NodeId ReferenceTypeId { get; init; }

    public bool IncludeSubtypes { get; init; }

    public uint NodeClassMask { get; init; }

    public uint ResultMask { get; init; }
}
