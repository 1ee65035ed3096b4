namespace Gateway.Publish.Items;

/// <summary>Items with a change that waits for its sampling time.</summary>
internal readonly struct SampleLink : IItemLink
{
    public static ref ItemLink Of(MonitoredItem item) => ref item.Sample;
}
