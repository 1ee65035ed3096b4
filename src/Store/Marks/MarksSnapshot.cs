namespace Gateway.Store.Marks;

/// <summary>The content of a marks file.</summary>
internal sealed record MarksSnapshot(
    long Generation, uint Salt, long Next, long Mark, IReadOnlyList<(long From, long To)> Ranges,
    IReadOnlyList<Gap> Gaps);
