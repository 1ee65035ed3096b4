using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Sources;
using Gateway.Codec.Types;

namespace Gateway.Operations.Attributes;

/// <summary>One checked ReadValueId; only its value is still to be fetched.</summary>
public readonly struct ReadPlan
{
    public ReadKind Kind { get; init; }

    public StatusCode Status { get; init; }

    public NodeHandle Node { get; init; }

    public NumericRange Range { get; init; }

    /// <summary>For <see cref="ReadKind.Attribute"/>, the range already applied.</summary>
    public Variant Attribute { get; init; }

    /// <summary>For <see cref="ReadKind.Source"/>.</summary>
    public INodeSource? Source { get; init; }

    public static ReadPlan Refused(StatusCode status) => new() { Kind = ReadKind.Refused, Status = status };
}
