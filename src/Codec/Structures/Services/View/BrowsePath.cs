using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

[Structure(543, 545)]
public readonly partial record struct BrowsePath
{
    public NodeId StartingNode { get; init; }

    public RelativePath? RelativePath { get; init; }
}
