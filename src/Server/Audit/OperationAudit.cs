using Gateway.Admission.Stages;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Operations.Access;

namespace Gateway.Server.Audit;

/// <summary>What callers without a session did to nodes, and what they were refused. As for sessions: every operation
/// is counted, those of a flood get no line (R24, R29). Thread-safe.</summary>
public sealed class OperationAudit
{
    private readonly AuditLog _log;
    private readonly NodeAccess _access;

    internal OperationAudit(AuditLog log, NodeAccess access) => (_log, _access) = (log, access);

    /// <summary>One line for all values of a request that were refused.</summary>
    /// <param name="caller">Whose it is.</param>
    /// <param name="first">Of them.</param>
    /// <param name="attribute">Of it.</param>
    /// <param name="status">Of it.</param>
    /// <param name="count">How many; 0: nothing is told.</param>
    public void ReadRefused(Caller caller, in NodeId first, AttributeId attribute, StatusCode status, int count = 1)
    {
        if (count == 0 || !_log.TryList(AuditEvent.ReadRefused, status))
            return;
        var words = _access.RefusalInWords(caller, first, attribute);
        _log.List(AuditEvent.ReadRefused, caller, status, count == 1 ? words : $"{words} and {count - 1} more");
    }

    /// <param name="caller">Whose it is.</param>
    /// <param name="node">Its value.</param>
    /// <param name="status">What the caller is told.</param>
    /// <param name="isAccepted">It went to its source. Else only a refusal by rights is told.</param>
    public void Written(Caller caller, in NodeId node, StatusCode status, bool isAccepted)
    {
        if (isAccepted)
        {
            if (_log.Take(AuditEvent.Written, 1) > 0)
                _log.List(AuditEvent.Written, caller, status, node.ToString());
        }
        else if (AccessPolicy.IsRefusal(status) && _log.TryList(AuditEvent.WriteRefused, status))
        {
            _log.List(
                AuditEvent.WriteRefused, caller, status,
                _access.RefusalInWords(caller, node, PermissionType.Write));
        }
    }

    /// <param name="caller">Whose it is.</param>
    /// <param name="on">The object.</param>
    /// <param name="method">Of the object, or of its type.</param>
    /// <param name="status">What the caller is told.</param>
    /// <param name="isAccepted">As for <see cref="Written"/>.</param>
    public void Called(Caller caller, in NodeId on, in NodeId method, StatusCode status, bool isAccepted)
    {
        if (isAccepted)
        {
            if (_log.Take(AuditEvent.Called, 1) > 0)
                _log.List(AuditEvent.Called, caller, status, $"{method} on {on}");
        }
        else if (AccessPolicy.IsRefusal(status) && _log.TryList(AuditEvent.CallRefused, status))
        {
            _log.List(AuditEvent.CallRefused, caller, status, _access.RefusalInWords(caller, on, method));
        }
    }

    /// <summary>A stream, or a node of one, by a cap.</summary>
    /// <param name="caller">Whose it is.</param>
    /// <param name="status">Bad_TooManySubscriptions or Bad_TooManyMonitoredItems.</param>
    /// <param name="reason">Which cap.</param>
    public void Refused(Caller caller, StatusCode status, RefusalReason reason)
    {
        var kind = status.CodeBits == StatusCodes.BadTooManySubscriptions
            ? AuditEvent.SubscriptionRefused
            : AuditEvent.ItemRefused;
        if (_log.TryList(kind, status, reason))
            _log.List(kind, caller, status, ReasonTable.NameOf(reason), reason);
    }
}
