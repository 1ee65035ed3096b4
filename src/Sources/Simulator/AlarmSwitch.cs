namespace Gateway.Sources.Simulator;

/// <summary>The alarms of the plant, from the first one on as many active as asked for. Threads: any; a change waits
/// for the one before.</summary>
internal sealed class AlarmSwitch(IPlantEvents events, int count)
{
    private readonly Lock _lock = new();
    private int _active;

    /// <summary>False: there are not so many.</summary>
    public bool TrySet(uint active)
    {
        if (active > count)
            return false;
        lock (_lock)
        {
            for (; _active < active; _active++)
                events.SetAlarm(_active, isActive: true);
            for (; _active > active; _active--)
                events.SetAlarm(_active - 1, isActive: false);
        }

        return true;
    }
}
