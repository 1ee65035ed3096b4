using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.Publish.Items;

/// <summary>State that few items need.</summary>
internal sealed class ItemExtras
{
    /// <summary>The part of the value that is watched.</summary>
    public NumericRange Range;

    /// <summary>Percent of the EURange that the deadband is; NaN for another deadband.</summary>
    public double PercentDeadband = double.NaN;

    /// <summary>Items that report when this one does (SetTriggering).</summary>
    public HashSet<MonitoredItem>? Triggered;

    /// <summary>Items that this one reports with.</summary>
    public HashSet<MonitoredItem>? TriggeredBy;

    /// <summary>Of an item that watches events. Null for others.</summary>
    public EventItem? Event;

    /// <summary>Of a durable subscription's item. Null for others.</summary>
    public DurableItem? Durable;

    /// <summary>The sweep up to which one of them has triggered it: values until then belong to the same sample. Engine
    /// ticks; −1 for none.</summary>
    public long TriggeredUntil = -1;

    /// <summary>The sampled items linked to this one report what they have, and what else they get up to the sweep:
    /// which of two values of one sample is taken first does not matter. Source: Part 4 §5.13.1.6.</summary>
    public void Trigger()
    {
        if (Triggered is null)
            return;
        foreach (var item in Triggered)
        {
            if (item.Mode != MonitoringMode.Sampling)
                continue;
            item.Extras.TriggeredUntil = item.Subscription.Due;
            if (item.Queue.Count == 0)
                continue;
            item.IsTriggered = true;
            item.Subscription.DirtyItems.Add(item);
        }
    }
}
