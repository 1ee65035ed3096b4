namespace Gateway.Events.Delivery;

/// <summary>Small numbers of retained conditions and branches, so that each item remembers by a bit which of them it
/// has shown. A number is given back behind the event by which its condition ends; the events of the next one that has
/// it come later. The smallest is taken first: items need memory up to the largest that they have shown. Thread-safe;
/// its lock is a leaf. Source: Part 9 §5.5.2.</summary>
public sealed class ConditionPlaces
{
    private readonly Lock _lock = new();
    private readonly PriorityQueue<int, int> _free = new();
    private int _next;

    public int Take()
    {
        lock (_lock)
            return _free.TryDequeue(out var place, out _) ? place : _next++;
    }

    /// <summary>Does nothing for −1.</summary>
    public void Return(int place)
    {
        if (place < 0)
            return;
        lock (_lock)
            _free.Enqueue(place, place);
    }
}
