using Gateway.AddressSpace.Nodes;
using Gateway.Admission.Stages;
using Gateway.Codec.Types;

namespace Gateway.Publish;

/// <summary>The nodes that the session's user may monitor (R36). Called on the thread of the request, and under the
/// shard's lock when a node has changed.</summary>
public interface IItemAccess
{
    /// <summary>Good, or the item's result: Bad_UserAccessDenied, Bad_NotReadable …</summary>
    StatusCode CheckMonitor(NodeHandle node, AttributeId attribute);

    /// <summary>Whether the user may see the node; Publish then reports attributes that the user may not read.
    /// </summary>
    bool IsVisible(NodeHandle node) => true;

    /// <summary>Whether the user may receive the events of a notifier, or of a source. Good, or Bad_UserAccessDenied …
    /// Source: Part 3 §8.55.</summary>
    StatusCode CheckEvents(NodeHandle node) => StatusCode.Good;

    /// <summary>Whether the user may receive audit events: a role for it, and an encrypted channel. Source: Part 4
    /// §6.5.</summary>
    bool SeesAudit => false;

    /// <summary>The user asked for an item on an attribute without the permission to read it; the item's result, or
    /// Publish, reports that. For the operator; called without a lock.</summary>
    void OnDenied(in NodeId id, NodeHandle node, AttributeId attribute)
    {
    }

    /// <summary>A cap, or its reserve, refused the user a subscription or an item. For the operator; called without a
    /// lock.</summary>
    /// <param name="status">Bad_TooManySubscriptions or Bad_TooManyMonitoredItems.</param>
    /// <param name="reason">The cap.</param>
    void OnRefused(StatusCode status, RefusalReason reason)
    {
    }

    /// <summary>The attributes that depend on the user (UserAccessLevel …); false for all others.</summary>
    bool TryReadUserAttribute(NodeHandle node, AttributeId attribute, out Variant value)
    {
        value = default;
        return false;
    }
}
