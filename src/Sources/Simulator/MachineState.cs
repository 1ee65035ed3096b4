namespace Gateway.Sources.Simulator;

/// <summary>The state of a machine; the number is the value of its State, the name its text.</summary>
internal enum MachineState : uint
{
    Stopped = 0,
    Starting = 1,
    Running = 2,
    Blocked = 3,
    Fault = 4,
}
