using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Types;
using Gateway.Operations.Attributes;
using Gateway.Server.Dispatch;

namespace Gateway.Server.Services;

/// <summary>Charges operations with an IndexRange to the work of a request that is answered on its connection's thread.
/// </summary>
internal sealed class RangeWork(RangeCost cost)
{
    /// <summary>As below.</summary>
    public bool MayGoOn(ref ServiceCall call, NodeId node, out bool isSpent) =>
        MayGoOn(ref call, cost.UnitsOf(node), out isSpent);

    /// <summary>As below.</summary>
    public bool MayGoOn(ref ServiceCall call, NodeHandle node, out bool isSpent) =>
        MayGoOn(ref call, cost.UnitsOf(node), out isSpent);

    /// <summary>False: on the connection's thread there is no time for it any more, or the request has had all its work
    /// (<paramref name="isSpent"/>).</summary>
    public static bool MayGoOn(ref ServiceCall call, int units, out bool isSpent)
    {
        var turn = call.Turn;
        isSpent = turn.IsSpent;
        return (turn.Take(units) || call.IsDeferred) && !isSpent;
    }
}
