namespace Gateway.Events.Delivery;

/// <summary>
/// The steps that all filters together may take in a second (R44). A small clause is free, so that no other one can
/// keep it from its events. The last sixth is kept from a client whose filters have had more than a sixth (R46). A step
/// is an element or operand, a character that Like looks at, a select clause, or a part of a large value: about 5 ns.
/// Owner: the hub, while it raises an event; another one that of refreshes.
/// </summary>
internal sealed class FilterBudget(TimeProvider time, long stepsPerSecond)
{
    /// <summary>Of each where clause for each event, and as many of its select clauses.</summary>
    public const int FreeSteps = 128;

    private const int Parts = 6;

    private readonly long _reserve = stepsPerSecond / Parts;
    private long _spent;

    /// <summary>Any client gets as many at the beginning of a second.</summary>
    public int Reserve => (int)Math.Min(_reserve, int.MaxValue - FreeSteps);

    public long Second { get; private set; } = -1;

    public static long SecondOf(TimeProvider time) => time.GetTimestamp() / time.TimestampFrequency;

    /// <summary>Another event: the clock is read once for all filters.</summary>
    public void Begin()
    {
        var second = SecondOf(time);
        if (second != Second)
            (Second, _spent) = (second, 0);
    }

    /// <summary>The steps that a filter of the client may take for one event.</summary>
    public int StepsFor(FilterSpending client)
    {
        if (client.Second != Second)
            (client.Second, client.Steps) = (Second, 0);
        var left = stepsPerSecond - _spent;
        if (client.Steps >= _reserve)
            left -= _reserve;
        return FreeSteps + (int)Math.Clamp(left, 0, int.MaxValue - FreeSteps);
    }

    /// <param name="client">Of the filter.</param>
    /// <param name="most">That it might take.</param>
    /// <param name="left">Of them; the complement where it was ended.</param>
    public void Charge(FilterSpending client, int most, int left)
    {
        var charged = Math.Max(0, most - Math.Max(left, ~left) - FreeSteps);
        client.Steps += charged;
        _spent += charged;
    }
}
