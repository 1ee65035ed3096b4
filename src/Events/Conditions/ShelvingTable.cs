namespace Gateway.Events.Conditions;

/// <summary>The states and transitions of the ShelvedStateMachineType. Source: Part 9 §5.8.17, Table 56.</summary>
internal static class ShelvingTable
{
    private const uint Unshelved = 2930;
    private const uint TimedShelved = 2932;
    private const uint OneShotShelved = 2933;

    public static uint StateOf(ShelvingKind kind) => kind switch
    {
        ShelvingKind.TimedShelved => TimedShelved,
        ShelvingKind.OneShotShelved => OneShotShelved,
        _ => Unshelved,
    };

    public static string NameOf(ShelvingKind kind) => kind switch
    {
        ShelvingKind.TimedShelved => "TimedShelved",
        ShelvingKind.OneShotShelved => "OneShotShelved",
        _ => "Unshelved",
    };

    /// <summary>0: no such transition.</summary>
    public static uint TransitionOf(ShelvingKind from, ShelvingKind to) => (from, to) switch
    {
        (ShelvingKind.Unshelved, ShelvingKind.TimedShelved) => 2935,
        (ShelvingKind.Unshelved, ShelvingKind.OneShotShelved) => 2936,
        (ShelvingKind.TimedShelved, ShelvingKind.Unshelved) => 2940,
        (ShelvingKind.TimedShelved, ShelvingKind.OneShotShelved) => 2942,
        (ShelvingKind.OneShotShelved, ShelvingKind.Unshelved) => 2943,
        (ShelvingKind.OneShotShelved, ShelvingKind.TimedShelved) => 2945,
        _ => 0,
    };

    public static string? NameOfTransition(uint id) => id switch
    {
        2935 => "UnshelvedToTimedShelved",
        2936 => "UnshelvedToOneShotShelved",
        2940 => "TimedShelvedToUnshelved",
        2942 => "TimedShelvedToOneShotShelved",
        2943 => "OneShotShelvedToUnshelved",
        2945 => "OneShotShelvedToTimedShelved",
        _ => null,
    };
}
