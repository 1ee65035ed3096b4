namespace Gateway.Events.Conditions;

/// <summary>A method of a condition; those with a comment of their own (Suppress2 …) are the same act. Source: Part 9
/// §5.5 to §5.8.</summary>
public enum ConditionAct
{
    Enable,
    Disable,
    AddComment,
    Acknowledge,
    Confirm,
    TimedShelve,
    OneShotShelve,
    Unshelve,
    Suppress,
    Unsuppress,
    RemoveFromService,
    PlaceInService,
}
