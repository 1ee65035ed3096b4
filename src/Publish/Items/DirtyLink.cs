namespace Gateway.Publish.Items;

/// <summary>Items with something to report.</summary>
internal readonly struct DirtyLink : IItemLink
{
    public static ref ItemLink Of(MonitoredItem item) => ref item.Dirty;
}
