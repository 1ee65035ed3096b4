using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Types;

namespace Gateway.Publish;

/// <summary>What the session's user may monitor (R36). Called on the thread of the request.</summary>
public interface IItemAccess
{
    /// <summary>Good, or the item's result: Bad_UserAccessDenied, Bad_NotReadable …</summary>
    StatusCode CheckMonitor(NodeHandle node, AttributeId attribute);
}
