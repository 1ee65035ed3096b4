using Gateway.Admission.Stages;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Operations.Access;
using Gateway.Server.Audit.Trail;

namespace Gateway.Server.Audit;

/// <summary>Logs what callers without a session do to nodes, and the operations that the gateway refuses them. As for
/// sessions, every operation is counted and events above the line limit get no line (R24, R29). Thread-safe.</summary>
public sealed class OperationAudit
{
    private readonly AuditLog _log;
    private readonly NodeAccess _access;

    internal OperationAudit(AuditLog log, NodeAccess access) => (_log, _access) = (log, access);

    /// <summary>Somebody gets audit events, which have the value that is written.</summary>
    public bool WantsValues => _log.WantsFacts;

    /// <summary>One line for all values of a request that the gateway refused.</summary>
    /// <param name="caller">The caller of the request.</param>
    /// <param name="first">The node of the first refused value.</param>
    /// <param name="attribute">The attribute of that node.</param>
    /// <param name="status">The status of that value.</param>
    /// <param name="count">The number of refused values; 0 logs nothing.</param>
    public void ReadRefused(Caller caller, in NodeId first, AttributeId attribute, StatusCode status, int count = 1)
    {
        if (count == 0 || !_log.TryList(AuditEvent.ReadRefused, status))
            return;
        var words = _access.RefusalInWords(caller, first, attribute);
        _log.List(
            AuditEvent.ReadRefused, caller, status, count == 1 ? words : $"{words} and {count - 1} more",
            facts: new AuditFacts { Node = first, AttributeId = (uint)attribute });
    }

    /// <param name="caller">The caller of the request.</param>
    /// <param name="node">The node that the value is for.</param>
    /// <param name="status">The result that the caller gets.</param>
    /// <param name="isAccepted">True when the value went to its source. Otherwise only a refusal by permissions is
    /// logged.</param>
    /// <param name="value">The new value; null where <see cref="WantsValues"/> is false.</param>
    public void Written(Caller caller, in NodeId node, StatusCode status, bool isAccepted, in Variant value = default)
    {
        if (isAccepted)
        {
            if (_log.Take(AuditEvent.Written, 1) > 0)
                _log.List(
                    AuditEvent.Written, caller, status, node.ToString(),
                    facts: new AuditFacts { Node = node, NewValue = value });
        }
        else if (AccessPolicy.IsRefusal(status) && _log.TryList(AuditEvent.WriteRefused, status))
        {
            _log.List(
                AuditEvent.WriteRefused, caller, status,
                _access.RefusalInWords(caller, node, PermissionType.Write), facts: new AuditFacts { Node = node });
        }
    }

    /// <param name="caller">The caller of the request.</param>
    /// <param name="on">The object.</param>
    /// <param name="method">The method of the object or of its type.</param>
    /// <param name="status">The result that the caller gets.</param>
    /// <param name="isAccepted">As for <see cref="Written"/>.</param>
    /// <param name="inputs">The arguments; null: they could not be read.</param>
    /// <param name="outputs">The results; null: there are none.</param>
    public void Called(
        Caller caller, in NodeId on, in NodeId method, StatusCode status, bool isAccepted, Variant[]? inputs = null,
        Variant[]? outputs = null)
    {
        if (isAccepted)
        {
            if (_log.Take(AuditEvent.Called, 1) > 0)
                _log.List(AuditEvent.Called, caller, status, $"{method} on {on}",
                    facts: FactsOf(on, method, inputs) with { Outputs = outputs });
        }
        else if (AccessPolicy.IsRefusal(status) && _log.TryList(AuditEvent.CallRefused, status))
        {
            _log.List(
                AuditEvent.CallRefused, caller, status, _access.RefusalInWords(caller, on, method),
                facts: FactsOf(on, method, inputs));
        }
    }

    /// <summary>A cap refused a stream or a node of a stream.</summary>
    /// <param name="caller">The caller of the request.</param>
    /// <param name="status">Bad_TooManySubscriptions or Bad_TooManyMonitoredItems.</param>
    /// <param name="reason">The cap.</param>
    public void Refused(Caller caller, StatusCode status, RefusalReason reason)
    {
        var kind = status.CodeBits == StatusCodes.BadTooManySubscriptions
            ? AuditEvent.SubscriptionRefused
            : AuditEvent.ItemRefused;
        if (_log.TryList(kind, status, reason))
            _log.List(kind, caller, status, ReasonTable.NameOf(reason), reason);
    }

    /// <summary>An operator's act on the gateway itself.</summary>
    /// <param name="kind">ConnectionEnded, CertificateMoved.</param>
    /// <param name="caller">The operator.</param>
    /// <param name="status">Of the operation.</param>
    /// <param name="detail">Text of ours, in which what came from a peer is escaped.</param>
    public void Managed(AuditEvent kind, Caller caller, StatusCode status, string detail)
    {
        if (_log.TryList(kind, status))
            _log.List(kind, caller, status, detail);
    }

    /// <summary>The configuration was read again.</summary>
    /// <param name="caller">Null: a file of it has changed, or a signal came.</param>
    /// <param name="status">Bad_ConfigurationError where all stays as it was.</param>
    /// <param name="detail">Text of ours.</param>
    /// <param name="oldVersion">VersionTime of the configuration before.</param>
    /// <param name="newVersion">Of the one that is in force now.</param>
    public void Reloaded(Caller? caller, StatusCode status, string detail, uint oldVersion, uint newVersion)
    {
        const AuditEvent Kind = AuditEvent.ConfigurationReloaded;
        var facts = new AuditFacts { OldVersion = oldVersion, NewVersion = newVersion };
        if (caller is null)
            _log.Client(Kind, "", "", status, detail, facts);
        else if (_log.TryList(Kind, status))
            _log.List(Kind, caller, status, detail, facts: facts);
    }

    /// <summary>The caller has no role for it.</summary>
    /// <param name="caller">The user.</param>
    /// <param name="status">The answer to the caller.</param>
    /// <param name="permission">That is missing.</param>
    public void ManagementRefused(Caller caller, StatusCode status, GatewayPermission permission)
    {
        if (_log.TryList(AuditEvent.ManagementRefused, status))
            _log.List(
                AuditEvent.ManagementRefused, caller, status,
                $"{AccessPolicy.NeedOf(permission)} for {permission}");
    }

    private static AuditFacts FactsOf(in NodeId on, in NodeId method, Variant[]? inputs) => new()
    {
        Request = new CallMethodRequest { ObjectId = on, MethodId = method, InputArguments = inputs ?? [] },
    };
}
