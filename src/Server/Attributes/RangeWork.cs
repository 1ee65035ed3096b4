using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Values;
using Gateway.Codec.Types;
using Gateway.Server.Dispatch;

namespace Gateway.Server.Attributes;

/// <summary>An operation with an IndexRange takes as long as the whole value, however few bytes the request and the
/// answer have: it is charged to the request's work (R44). All other operations of a Read, Write or RegisterNodes are
/// bounded by their number in MaxImmediateRequestBytes.</summary>
internal sealed class RangeWork(NodeTable nodes, ValueStore values)
{
    /// <summary>Of a value that is decoded, and for a Write encoded again: about 100 ns.</summary>
    private const int BytesOfUnit = 64;

    /// <summary>As below.</summary>
    public bool MayGoOn(ref ServiceCall call, NodeId node, out bool isSpent) =>
        MayGoOn(ref call, nodes.Find(node), out isSpent);

    /// <summary>False: on the connection's thread there is no time for it any more, or the request has had all its work
    /// (<paramref name="isSpent"/>).</summary>
    public bool MayGoOn(ref ServiceCall call, NodeHandle node, out bool isSpent) =>
        MayGoOn(ref call, 1 + (values.EncodedLengthOf(node) / BytesOfUnit), out isSpent);

    /// <summary>As above, for work that is known.</summary>
    public static bool MayGoOn(ref ServiceCall call, int units, out bool isSpent)
    {
        var turn = call.Turn;
        isSpent = turn.IsSpent;
        return (turn.Take(units) || call.IsDeferred) && !isSpent;
    }
}
