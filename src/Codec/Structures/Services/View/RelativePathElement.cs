using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

[Structure(537, 539)]
public readonly partial record struct RelativePathElement
{
    public NodeId ReferenceTypeId { get; init; }

    public bool IsInverse { get; init; }

    public bool IncludeSubtypes { get; init; }

    public QualifiedName TargetName { get; init; }
}
