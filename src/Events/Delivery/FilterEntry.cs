using Gateway.Events.Filters;

namespace Gateway.Events.Delivery;

/// <summary>A filter that items use, and the notifiers on which they do. Owner: the hub, under its lock.</summary>
internal sealed class FilterEntry(CompiledFilter filter)
{
    public CompiledFilter Filter { get; } = filter;

    /// <summary>Items that have it, the disabled ones among them.</summary>
    public int Items { get; set; }

    public List<EventGroup> Groups { get; } = [];
}
