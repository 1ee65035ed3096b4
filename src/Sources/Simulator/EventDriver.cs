namespace Gateway.Sources.Simulator;

/// <summary>Raises the events of the plant at a steady rate. Allocates nothing.</summary>
internal sealed class EventDriver(IPlantEvents events, double eventsPerSecond, TimeProvider time)
{
    private readonly SteadyPace _pace = new(eventsPerSecond, time);
    private readonly Lock _lock = new();
    private long _next;

    public TimeSpan Period => _pace.Period;

    public void Begin() => _pace.Begin();

    /// <summary>All events that are due. A tick that comes while the last one still works is left out.</summary>
    public void Tick()
    {
        if (!_lock.TryEnter())
            return;
        try
        {
            for (var due = _pace.Take(); due > 0; due--)
                events.Raise(_next++);
        }
        finally
        {
            _lock.Exit();
        }
    }
}
