namespace Gateway.Events.Conditions;

/// <summary>A TwoStateVariable. Source: Part 9 §5.2.</summary>
/// <param name="Id">The value of its property Id.</param>
/// <param name="Since">TransitionTime, UTC.</param>
public readonly record struct TwoState(bool Id, DateTime Since)
{
    /// <summary>Keeps the time where nothing changes.</summary>
    public TwoState To(bool id, DateTime now) => id == Id ? this : new TwoState(id, now);
}
