namespace Gateway.Events.Conditions;

/// <summary>A state of the ShelvedStateMachineType. Source: Part 9 §5.8.17.</summary>
public enum ShelvingKind
{
    Unshelved,

    /// <summary>Until a time is over.</summary>
    TimedShelved,

    /// <summary>Until the alarm is inactive.</summary>
    OneShotShelved,
}
