using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Types;
using Gateway.Operations.Access;
using Gateway.Publish;

namespace Gateway.Server.Sessions;

/// <summary>What the session's user may monitor: what he may read (R36), and as he sees it.</summary>
internal sealed class SessionItemAccess(Session session, NodeAccess access) : IItemAccess
{
    public StatusCode CheckMonitor(NodeHandle node, AttributeId attribute) =>
        access.CheckRead(session.Caller, node, attribute);

    public bool IsVisible(NodeHandle node) => access.IsVisible(session.Caller, node);

    public bool TryReadUserAttribute(NodeHandle node, AttributeId attribute, out Variant value) =>
        access.TryReadUserAttribute(session.Caller, node, attribute, out value);
}
