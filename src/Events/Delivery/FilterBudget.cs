namespace Gateway.Events.Delivery;

/// <summary>
/// The steps that all where clauses together may take in a second (R44). A small clause is free, so that no other one
/// can keep it from its events. The last sixth is kept from a filter that has had more than a sixth (R46). A step is an
/// element or operand, a character that Like looks at, or a part of a large value: about 5 ns. Owner: the hub, while it
/// raises an event.
/// </summary>
internal sealed class FilterBudget(TimeProvider time, long stepsPerSecond)
{
    /// <summary>Of each clause for each event.</summary>
    public const int FreeSteps = 128;

    private const int Parts = 6;

    private readonly long _reserve = stepsPerSecond / Parts;
    private long _second = -1;
    private long _spent;

    /// <summary>Another event: the clock is read once for all filters.</summary>
    public void Begin()
    {
        var second = time.GetTimestamp() / time.TimestampFrequency;
        if (second != _second)
            (_second, _spent) = (second, 0);
    }

    /// <summary>The steps that the filter may take for one event.</summary>
    public int StepsFor(FilterEntry entry)
    {
        if (entry.SpentIn != _second)
            (entry.SpentIn, entry.Spent) = (_second, 0);
        var left = stepsPerSecond - _spent;
        if (entry.Spent >= _reserve)
            left -= _reserve;
        return FreeSteps + (int)Math.Clamp(left, 0, int.MaxValue - FreeSteps);
    }

    /// <param name="entry">Of the filter.</param>
    /// <param name="most">That it might take.</param>
    /// <param name="left">Of them; the complement where it was ended.</param>
    public void Charge(FilterEntry entry, int most, int left)
    {
        var charged = Math.Max(0, most - Math.Max(left, ~left) - FreeSteps);
        entry.Spent += charged;
        _spent += charged;
    }
}
