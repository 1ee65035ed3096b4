namespace Gateway.Store.Marks;

/// <summary>A marks file that is prepared, and what is known when it is saved.</summary>
/// <param name="Length">Its bytes.</param>
/// <param name="Changes">All changes up to this one are in it.</param>
/// <param name="Mark">All records up to this one are done with.</param>
internal readonly record struct MarksToSave(int Length, long Changes, long Mark);
