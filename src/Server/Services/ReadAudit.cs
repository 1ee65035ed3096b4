using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Operations.Access;
using Gateway.Server.Audit;
using Gateway.Server.Audit.Trail;
using Gateway.Server.Sessions;

namespace Gateway.Server.Services;

/// <summary>Writes audit lines for values that a user's permissions refuse: one line for each Read. Threads: any.
/// </summary>
internal sealed class ReadAudit(NodeTable nodes, NodeAccess access, AuditLog audit)
{
    /// <param name="session">The session of the request.</param>
    /// <param name="caller">The caller at the request's arrival.</param>
    /// <param name="identity">The user at the request's arrival.</param>
    /// <param name="first">The first refused value.</param>
    /// <param name="status">The status of that value.</param>
    /// <param name="count">The number of refused values; 0 logs nothing.</param>
    public void Tell(
        Session session, in Caller caller, UserIdentity? identity, ReadValueId first, StatusCode status, int count)
    {
        if (count == 0 || !audit.TryList(AuditEvent.ReadRefused, status))
            return;
        var words = access.RefusalInWords(caller, first.NodeId, (AttributeId)first.AttributeId);
        audit.List(
            AuditEvent.ReadRefused, session, status, count == 1 ? words : $"{words} and {count - 1} more", identity,
            facts: new AuditFacts { Node = first.NodeId, AttributeId = first.AttributeId });
    }

    /// <summary>For results that also contain refusals by the source; those get no line.</summary>
    public void Tell(PendingRequest pending, ReadValueId[] ids, DataValue[] results)
    {
        var (first, count) = (0, 0);
        for (var i = 0; i < results.Length; i++)
        {
            if (AccessPolicy.IsRefusal(results[i].Status) && IsOurs(pending, ids[i]) && count++ == 0)
                first = i;
        }

        if (count > 0)
            Tell(pending.Session, pending.Caller, pending.Identity, ids[first], results[first].Status, count);
    }

    /// <summary>After a change of user both users needed the permission (R16).</summary>
    private bool IsOurs(PendingRequest pending, ReadValueId id)
    {
        var (node, attribute) = (nodes.Find(id.NodeId), (AttributeId)id.AttributeId);
        return AccessPolicy.IsRefusal(access.CheckRead(pending.Caller, node, attribute)) ||
            AccessPolicy.IsRefusal(access.CheckRead(pending.PresentCaller, node, attribute));
    }
}
