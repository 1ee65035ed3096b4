using Gateway.AddressSpace.Nodes;
using Gateway.Admission.Stages;
using Gateway.Codec.Types;
using Gateway.Operations.Access;
using Gateway.Publish;
using Gateway.Server.Audit;

namespace Gateway.Server.Sessions;

/// <summary>Lets the session's user monitor what the user may read (R36), with the values that the user sees.</summary>
internal sealed class SessionItemAccess(Session session, NodeAccess access, AuditLog audit) : IItemAccess
{
    public StatusCode CheckMonitor(NodeHandle node, AttributeId attribute) =>
        access.CheckRead(session.Caller, node, attribute);

    public bool IsVisible(NodeHandle node) => access.IsVisible(session.Caller, node);

    public bool SeesAudit => AccessPolicy.SeesAudit(session.Caller);

    public StatusCode CheckEvents(NodeHandle node) => access.CheckEvents(session.Caller, node);

    /// <summary>No audit line for an attribute that no user can read.</summary>
    public void OnDenied(in NodeId id, NodeHandle node, AttributeId attribute)
    {
        var caller = session.Caller;
        var status = node.IsNone ? StatusCode.Good : access.CheckRead(caller, node, attribute);
        if (AccessPolicy.IsRefusal(status) && audit.TryList(AuditEvent.ReadRefused, status))
            audit.List(AuditEvent.ReadRefused, session, status, access.RefusalInWords(caller, id, attribute));
    }

    public void OnRefused(StatusCode status, RefusalReason reason)
    {
        var kind = status.CodeBits == StatusCodes.BadTooManySubscriptions
            ? AuditEvent.SubscriptionRefused
            : AuditEvent.ItemRefused;
        if (audit.TryList(kind, status, reason))
            audit.List(kind, session, status, ReasonTable.NameOf(reason), reason: reason);
    }

    public bool TryReadUserAttribute(NodeHandle node, AttributeId attribute, out Variant value) =>
        access.TryReadUserAttribute(session.Caller, node, attribute, out value);
}
