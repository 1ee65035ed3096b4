using Gateway.AddressSpace.Values;
using Gateway.Events.Filters;
using Gateway.Events.Model;

namespace Gateway.Events.Delivery;

/// <summary>A filter that items use, and the notifiers on which they do. Owner: the hub, under its lock.</summary>
internal sealed class FilterEntry(CompiledFilter filter)
{
    public CompiledFilter Filter { get; } = filter;

    /// <summary>Items that have it, the disabled ones among them.</summary>
    public int Items { get; set; }

    public List<EventGroup> Groups { get; } = [];

    /// <summary>Refreshes of its items that are under way.</summary>
    public int Refreshes { get; set; }

    /// <summary>As long as there are any: the notifications that they have looked at, as fields, or null for one that
    /// does not pass. Clients that come back together refresh together.</summary>
    public Dictionary<EventRecord, SharedValue?> Retained { get; } = new(ReferenceEqualityComparer.Instance);
}
