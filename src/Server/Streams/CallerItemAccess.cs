using Gateway.AddressSpace.Nodes;
using Gateway.Admission.Stages;
using Gateway.Codec.Types;
using Gateway.Operations.Access;
using Gateway.Publish;
using Gateway.Server.Audit;

namespace Gateway.Server.Streams;

/// <summary>Lets a caller without a session monitor what the user may read (R36), with the values that the user sees.
/// </summary>
internal sealed class CallerItemAccess(Caller caller, NodeAccess access, OperationAudit audit) : IItemAccess
{
    public StatusCode CheckMonitor(NodeHandle node, AttributeId attribute) => access.CheckRead(caller, node, attribute);

    public bool IsVisible(NodeHandle node) => access.IsVisible(caller, node);

    public bool SeesAudit => AccessPolicy.SeesAudit(caller);

    public StatusCode CheckEvents(NodeHandle node) => access.CheckEvents(caller, node);

    public void OnDenied(in NodeId id, NodeHandle node, AttributeId attribute)
    {
        var status = node.IsNone ? StatusCode.Good : access.CheckRead(caller, node, attribute);
        if (AccessPolicy.IsRefusal(status))
            audit.ReadRefused(caller, id, attribute, status);
    }

    public void OnRefused(StatusCode status, RefusalReason reason) => audit.Refused(caller, status, reason);

    public bool TryReadUserAttribute(NodeHandle node, AttributeId attribute, out Variant value) =>
        access.TryReadUserAttribute(caller, node, attribute, out value);
}
