using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Values;
using Gateway.Codec.Types;

namespace Gateway.Operations.Attributes;

/// <summary>An operation with an IndexRange takes as long as the whole value, however few bytes the request and the
/// answer have (R44). All other operations of a Read or Write are bounded by their number.</summary>
public sealed class RangeCost(NodeTable nodes, ValueStore values)
{
    /// <summary>Bytes of a value that is decoded, and for a Write encoded again, in one unit of about 100 ns.</summary>
    private const int BytesOfUnit = 64;

    /// <summary>Work units.</summary>
    public int UnitsOf(NodeId node) => UnitsOf(nodes.Find(node));

    public int UnitsOf(NodeHandle node) => 1 + (values.EncodedLengthOf(node) / BytesOfUnit);
}
