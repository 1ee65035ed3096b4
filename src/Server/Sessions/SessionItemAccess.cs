using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Types;
using Gateway.Publish;
using Gateway.Server.Access;

namespace Gateway.Server.Sessions;

/// <summary>What the session's user may monitor: what he may read (R36).</summary>
internal sealed class SessionItemAccess(Session session, NodeAccess access) : IItemAccess
{
    public StatusCode CheckMonitor(NodeHandle node, AttributeId attribute) =>
        access.CheckRead(session.Roles, node, attribute);
}
