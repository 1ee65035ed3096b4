namespace Gateway.Sources.Simulator;

/// <summary>Brings the events and alarms of the simulated plant to clients: the simulator says what happens, and when.
/// Threads: one at a time for each member.</summary>
public interface IPlantEvents
{
    /// <summary>An event of a line of the plant.</summary>
    /// <param name="number">From 0 on, without gaps.</param>
    void Raise(long number);

    /// <summary>An alarm is active, or over.</summary>
    /// <param name="number">From 0 on.</param>
    /// <param name="isActive">Its state.</param>
    void SetAlarm(int number, bool isActive);
}
