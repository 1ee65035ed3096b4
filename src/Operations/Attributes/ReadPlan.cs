using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Sources;
using Gateway.Codec.Types;

namespace Gateway.Operations.Attributes;

/// <summary>One ReadValueId, checked: what is left is to fetch the value.</summary>
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
