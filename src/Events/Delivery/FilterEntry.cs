using Gateway.AddressSpace.Values;
using Gateway.Events.Filters;
using Gateway.Events.Model;

namespace Gateway.Events.Delivery;

/// <summary>A filter that items use. Owner: the hub, under its lock; from
/// <see cref="Judged"/> on, the event that is being raised.</summary>
/// <param name="filter">Shared by all items that have an equal one.</param>
/// <param name="holder">The client that brought it: it counts as this one's as long as anybody uses it.</param>
internal sealed class FilterEntry(CompiledFilter filter, FilterHolder holder)
{
    public CompiledFilter Filter { get; } = filter;

    public FilterHolder Holder { get; } = holder;

    /// <summary>Items that have it, the disabled ones among them.</summary>
    public int Items { get; set; }

    /// <summary>The last event that was held against it.</summary>
    public long Judged { get; set; }

    /// <summary>The fields of that event; null where it does not pass.</summary>
    public SharedValue? Fields { get; set; }

    /// <summary>The fields are those of an event that does not pass: for items that have shown its condition.</summary>
    public bool IsEnding { get; set; }

    /// <summary>Items that have shown conditions by another filter before: these may never have passed this one.
    /// </summary>
    public int Strays { get; set; }

    /// <summary>That event found no steps left: its items are told that they lose one.</summary>
    public bool IsUnjudged { get; set; }

    /// <summary>Refreshes of its items that are under way. Owner: <see cref="RefreshFields"/>, with what follows.
    /// </summary>
    public int Refreshes { get; set; }

    /// <summary>The second in which they found no steps left: until it is over they rest.</summary>
    public long RestsIn { get; set; } = -1;

    /// <summary>As long as there are any: the notifications that they have looked at, as fields, or null for one that
    /// does not pass, and what both take of memory. Clients that come back together refresh together.</summary>
    public Dictionary<EventRecord, (SharedValue? Fields, long Bytes)> Retained { get; } =
        new(ReferenceEqualityComparer.Instance);

    /// <summary>The last refresh has ended: what they held of memory goes, too (R43).</summary>
    public void ForgetRetained()
    {
        Retained.Clear();
        Retained.TrimExcess();
    }

    /// <summary>The event has been posted.</summary>
    public void Forget()
    {
        Fields?.Release();
        (Fields, IsUnjudged, IsEnding) = (null, false, false);
    }
}
