namespace Gateway.Publish.Items;

/// <summary>Which of an item's links an <see cref="ItemList{TLink}"/> runs along.</summary>
internal interface IItemLink
{
    static abstract ref ItemLink Of(MonitoredItem item);
}
