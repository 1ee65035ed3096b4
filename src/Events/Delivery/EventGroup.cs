using Gateway.AddressSpace.Nodes;
using Gateway.Events.Filters;

namespace Gateway.Events.Delivery;

/// <summary>The items that watch one notifier with one filter, apart by whether they see audit events: an event is
/// looked at, and encoded, once for all of them. Owner: the <see cref="EventHub"/>, under its lock.</summary>
public sealed class EventGroup
{
    internal EventGroup(FilterEntry entry, NodeHandle notifier, bool seesAudit, int inboxes)
    {
        Entry = entry;
        Notifier = notifier;
        SeesAudit = seesAudit;
        Members = new int[inboxes];
    }

    public CompiledFilter Filter => Entry.Filter;

    public NodeHandle Notifier { get; }

    /// <summary>The users of the items may read the audit trail.</summary>
    public bool SeesAudit { get; }

    /// <summary>As it was when the first item came.</summary>
    internal bool IsOfView { get; init; }

    internal FilterEntry Entry { get; }

    /// <summary>Items on each shard, by the index of its inbox.</summary>
    internal int[] Members { get; }
}
