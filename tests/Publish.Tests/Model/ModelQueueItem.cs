using Gateway.Codec.Structures;

namespace Gateway.Publish.Tests.Model;

/// <summary>A monitored item with all that can be changed about it, as Part 4 §5.13 tells it.</summary>
internal sealed class ModelQueueItem(uint id, uint node)
{
    private double? _last;

    public uint Id => id;

    public uint Node => node;

    public MonitoringMode Mode { get; private set; } = MonitoringMode.Disabled;

    public int Size { get; private set; } = 1;

    public bool DiscardOldest { get; private set; }

    public List<(double Value, bool Overflow)> Queue { get; private set; } = [];

    public List<ModelQueueItem> Links { get; } = [];

    /// <summary>Until the next sweep: what comes up to it belongs to the same sample.</summary>
    private bool Triggered { get; set; }

    public void Modify(int size, bool discardOldest)
    {
        var lost = Queue.Count > size;
        if (lost && (discardOldest || size == 1))
            Queue = Queue[^size..];
        else if (lost)
            Queue = Queue[..size];
        if (lost && discardOldest)
            Queue[0] = (Queue[0].Value, true);
        else if (lost)
            Queue[^1] = (Queue[^1].Value, true);
        if (size == 1)
            Queue = [.. Queue.Select(entry => (entry.Value, false))];
        (Size, DiscardOldest) = (size, discardOldest);
    }

    public void SetMode(MonitoringMode mode, double current)
    {
        if (mode == Mode)
            return;
        var wasDisabled = Mode == MonitoringMode.Disabled;
        Mode = mode;
        if (mode == MonitoringMode.Disabled)
            (Queue, _last, Triggered) = ([], null, false);
        else if (wasDisabled)
            Change(current);
    }

    public void Change(double value)
    {
        if (Mode == MonitoringMode.Disabled || _last == value)
            return;
        _last = value;
        Enqueue(value);
        foreach (var item in Links)
            item.Triggered |= item.Mode == MonitoringMode.Sampling;
    }

    public List<(double Value, bool Overflow)> Publish()
    {
        if (Mode != MonitoringMode.Reporting && !Triggered)
            return [];
        var sent = Queue;
        (Queue, Triggered) = ([], false);
        return sent;
    }

    private void Enqueue(double value)
    {
        if (Queue.Count < Size)
            Queue.Add((value, false));
        else if (Size == 1)
            Queue[0] = (value, false);
        else if (DiscardOldest)
            Queue = [(Queue[1].Value, true), .. Queue[2..], (value, false)];
        else
            Queue[^1] = (value, true);
    }
}
