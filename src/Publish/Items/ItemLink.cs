namespace Gateway.Publish.Items;

/// <summary>The place of an item in one list of its subscription.</summary>
internal struct ItemLink
{
    public MonitoredItem? Next;
    public MonitoredItem? Previous;
    public bool IsLinked;
}
