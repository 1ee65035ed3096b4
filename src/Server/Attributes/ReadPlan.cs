using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Sources;
using Gateway.Codec.Types;

namespace Gateway.Server.Attributes;

/// <summary>One ReadValueId, checked: what is left is to fetch the value.</summary>
internal struct ReadPlan
{
    public ReadKind Kind;

    public StatusCode Status;

    public NodeHandle Node;

    public NumericRange Range;

    /// <summary>For <see cref="ReadKind.Attribute"/>, the range already applied.</summary>
    public Variant Attribute;

    /// <summary>For <see cref="ReadKind.Source"/>.</summary>
    public INodeSource? Source;

    public static ReadPlan Refused(StatusCode status) => new() { Kind = ReadKind.Refused, Status = status };
}
