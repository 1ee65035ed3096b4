using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Sources;
using Gateway.Transport.Timing;

namespace Gateway.Publish.Items;

/// <summary>A node that is read while items watch it, once for all of them. Owner: <see cref="NodeSampler"/>, under its
/// lock.</summary>
internal sealed class PolledNode(NodeHandle node, INodeSource source) : TimerEntry
{
    private readonly List<(long Ticks, int Count)> _rates = [];

    public NodeHandle Node { get; } = node;

    public INodeSource Source { get; } = source;

    /// <summary>The fastest that is asked for, engine ticks.</summary>
    public long Interval { get; private set; }

    /// <summary>A time on the grid that it is read on.</summary>
    public long Phase { get; set; }

    public bool IsWanted => _rates.Count > 0;

    /// <summary>It is due and waits for a turn.</summary>
    public bool IsQueued { get; set; }

    /// <summary>Its source has been asked and has not answered yet.</summary>
    public bool IsReading { get; set; }

    public void AddRate(long ticks)
    {
        var place = _rates.FindIndex(rate => rate.Ticks == ticks);
        if (place < 0)
            _rates.Add((ticks, 1));
        else
            _rates[place] = (ticks, _rates[place].Count + 1);
        FindFastest();
    }

    public void RemoveRate(long ticks)
    {
        var place = _rates.FindIndex(rate => rate.Ticks == ticks);
        if (_rates[place].Count > 1)
            _rates[place] = (ticks, _rates[place].Count - 1);
        else
            _rates.RemoveAt(place);
        FindFastest();
    }

    public override void OnDue(long now) => AlignDue(now);

    /// <summary>The next time on the grid after now. Absolute: nothing drifts, missed times are left out.
    /// </summary>
    public void AlignDue(long now)
    {
        var ahead = (Phase - now) % Interval;
        Due = now + (ahead > 0 ? ahead : ahead + Interval);
    }

    private void FindFastest()
    {
        Interval = long.MaxValue;
        foreach (var (ticks, _) in _rates)
            Interval = Math.Min(Interval, ticks);
    }
}
