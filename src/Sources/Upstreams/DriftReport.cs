namespace Gateway.Sources.Upstreams;

/// <summary>How an upstream's model differs from the one that an operator knows (docs/upstreams.md). Immutable.
/// </summary>
public sealed record DriftReport
{
    /// <summary>When it was seen first.</summary>
    public required DateTimeOffset Since { get; init; }

    /// <summary>Of each kind that there is; none: a version of the gateway that did not keep them has told it.
    /// </summary>
    public required IReadOnlyList<(DriftKind Kind, int Count)> Counts { get; init; }

    /// <summary>The first of them, of each kind some.</summary>
    public required IReadOnlyList<DriftChange> Changes { get; init; }

    /// <summary>A client may read or write another thing than it means.</summary>
    public bool IsDangerous => Counts.Any(static one => one.Kind is DriftKind.Renamed or DriftKind.Retyped);

    /// <summary>All of it in one sentence.</summary>
    public string Words => Counts.Count == 0
        ? "the next browse tells in what"
        : InWords();

    private string InWords() => string.Join(", ", Counts.Select(static one => $"{one.Count} {InWords(one.Kind)}")) +
        string.Concat(Changes.Take(5).Select(
            static one => $"; {one.Node}: {one.Was} -> {(one.Is.Length > 0 ? one.Is : "gone")}"));

    private static string InWords(DriftKind kind) => kind switch
    {
        DriftKind.NamespaceMoved => "namespaces at another index (followed)",
        DriftKind.NamespaceGone => "namespaces gone",
        DriftKind.Remapped => "nodes under another id (old ids go on)",
        DriftKind.Renamed => "ids that belong to another name now",
        DriftKind.Retyped => "nodes or types of another type",
        _ => "nodes gone",
    };
}
