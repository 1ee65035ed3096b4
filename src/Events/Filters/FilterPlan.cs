namespace Gateway.Events.Filters;

/// <summary>Where a filter finds its fields in the events of one layout.</summary>
/// <param name="SelectSlots">For each select clause; −1: null.</param>
/// <param name="WhereSlots">For each field of the where clause; −1: null.</param>
/// <param name="IsOfType">For each element of the where clause: the result of an OfType.</param>
internal sealed record FilterPlan(int[] SelectSlots, int[] WhereSlots, bool[] IsOfType);
