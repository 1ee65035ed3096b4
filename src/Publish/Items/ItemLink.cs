namespace Gateway.Publish.Items;

/// <summary>The place of an item in one list of its subscription. The first of a list is its own predecessor, so that
/// every item that is linked has one.</summary>
internal struct ItemLink
{
    public MonitoredItem? Next;
    public MonitoredItem? Previous;

    public readonly bool IsLinked => Previous is not null;
}
