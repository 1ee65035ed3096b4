using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Operations.Access;
using Gateway.Server.Audit;
using Gateway.Server.Sessions;

namespace Gateway.Server.Services;

/// <summary>Tells the audit log of Reads that a user's rights refused: one line a request. Threads: any.</summary>
internal sealed class ReadAudit(NodeTable nodes, NodeAccess access, AuditLog audit)
{
    /// <param name="session">Whose.</param>
    /// <param name="caller">Whom the request arrived for.</param>
    /// <param name="identity">The same.</param>
    /// <param name="first">Of the values that were refused.</param>
    /// <param name="status">Of it.</param>
    /// <param name="count">How many; 0: nothing is told.</param>
    public void Tell(
        Session session, in Caller caller, UserIdentity? identity, ReadValueId first, StatusCode status, int count)
    {
        if (count == 0 || !audit.TryList(AuditEvent.ReadRefused, status))
            return;
        var words = access.RefusalInWords(caller, first.NodeId, (AttributeId)first.AttributeId);
        audit.List(
            AuditEvent.ReadRefused, session, status, count == 1 ? words : $"{words} and {count - 1} more", identity);
    }

    /// <summary>Of results in which a source's own refusals are, too.</summary>
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

    /// <summary>After a change of user the lesser of the two permissions held (R16).</summary>
    private bool IsOurs(PendingRequest pending, ReadValueId id)
    {
        var (node, attribute) = (nodes.Find(id.NodeId), (AttributeId)id.AttributeId);
        return AccessPolicy.IsRefusal(access.CheckRead(pending.Caller, node, attribute)) ||
            AccessPolicy.IsRefusal(access.CheckRead(pending.PresentCaller, node, attribute));
    }
}
