namespace Gateway.Events.Delivery;

/// <summary>A refresh of an item that is under way, as the hub knows its filter.</summary>
public readonly struct FilterRefresh
{
    internal FilterRefresh(FilterEntry entry) => Entry = entry;

    internal FilterEntry Entry { get; }
}
