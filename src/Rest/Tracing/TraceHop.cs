namespace Gateway.Rest.Tracing;

/// <summary>One part of a value's way from its source to the clients, as an operator sees it. Texts of peers in it are
/// escaped and cut (R24).</summary>
/// <param name="Hop">The part: source, item, store …</param>
/// <param name="Title">Names it for people.</param>
/// <param name="State">How it does.</param>
/// <param name="Words">A sentence about it.</param>
public sealed record TraceHop(string Hop, string Title, HopState State, string Words)
{
    /// <summary>Advice; null where nothing has to be done.</summary>
    public string? Remedy { get; init; }

    /// <summary>Of the last value here; null: not known.</summary>
    public TimeSpan? Age { get; init; }

    /// <summary>Since when it is so.</summary>
    public DateTime? Since { get; init; }

    /// <summary>Numbers and texts; a null value is left out.</summary>
    public IReadOnlyList<(string Name, object? Value)> Facts { get; init; } = [];
}
