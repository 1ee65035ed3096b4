using Gateway.Codec.Types;
using Gateway.Events.Delivery;
using Gateway.Events.Model;

namespace Gateway.Events.Conditions;

/// <summary>A condition of an upstream, or a branch of it, as its last notification told it. Owner: its
/// <see cref="ConditionMirror"/>, under the lock of <see cref="MirroredConditions"/>.</summary>
internal sealed class MirroredCondition(NodeId conditionId, NodeId branchId)
{
    public NodeId ConditionId => conditionId;

    /// <summary>Null: the present state.</summary>
    public NodeId BranchId => branchId;

    public required EventRecord Record { get; set; }

    /// <summary>Estimated.</summary>
    public long Bytes { get; set; }

    /// <summary>Place among those that are retained; −1: it is not.</summary>
    public int Slot { get; set; } = -1;

    /// <summary>Of <see cref="ConditionPlaces"/>, from the first time that it is retained to the event that it is not,
    /// or that it is not kept; −1: it has none.</summary>
    public int Place { get; set; } = -1;

    /// <summary>Nobody may have its last notification: its source is gone, and rules say so.</summary>
    public bool IsHidden { get; set; }

    /// <summary>Place among those that may make room; null while it is retained.</summary>
    public LinkedListNode<MirroredCondition>? Idle { get; set; }

    /// <summary>The last refresh, or time between two, in which it was heard of.</summary>
    public int Seen { get; set; }

    /// <summary>The caller here whose answer the last comment is, in place of the upstream's ClientUserId.</summary>
    public (string User, string? Upstreams)? Author { get; set; }
}
