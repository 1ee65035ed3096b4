namespace Gateway.Events.Delivery;

/// <summary>The steps that a client's filters have taken in the last second in which they took any. Owner: its
/// <see cref="FilterBudget"/>.</summary>
internal sealed class FilterSpending
{
    public long Second { get; set; }

    public long Steps { get; set; }
}
