using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Values;

namespace Gateway.Events.Delivery;

/// <summary>An event on its way to the items of a group on one shard.</summary>
/// <param name="Group">The items with one filter on one notifier.</param>
/// <param name="Fields">The Variant that holds the fields; its reference is the inbox's.</param>
/// <param name="Sequence">Rises with each event: an item that changes shards passes over what it has seen.</param>
/// <param name="Source">A node with an access rule: each item's user must be allowed to receive its events. None: all
/// are.</param>
/// <param name="IsCondition">A client that loses it has to refresh.</param>
/// <param name="IsAudit">Each item's user must be allowed to read the audit trail.</param>
public readonly record struct PostedEvent(
    EventGroup Group, SharedValue Fields, long Sequence, NodeHandle Source, bool IsCondition,
    bool IsAudit)
{
    /// <summary>Of the condition, as <see cref="ConditionPlaces"/> numbers it; −1: it has none.</summary>
    public int Place { get; init; } = -1;

    /// <summary>Of the item's memory of shown conditions.</summary>
    public ShownMark Mark { get; init; }
}
