using System.Globalization;

namespace Gateway.Loadtest.Scenarios.Capacity;

/// <summary>One configuration of plant and clients. Each tag changes once a second, each session has one subscription,
/// and the sessions share the tags.</summary>
/// <param name="Tags">Of the plant.</param>
/// <param name="Sessions">0 measures the plant alone.</param>
/// <param name="Items">Of one session.</param>
/// <param name="IntervalMs">Publishing interval.</param>
internal sealed record CapacityPoint(int Tags, int Sessions, int Items, int IntervalMs)
{
    /// <summary>The model is fitted to these: each term is large in one of them and small in the others.</summary>
    public static IReadOnlyList<CapacityPoint> Fitted { get; } =
    [
        new(1_000, 0, 0, 1000),
        new(20_000, 0, 0, 1000),
        new(1_000, 1_000, 1, 1000),
        new(1_000, 2_000, 1, 1000),
        new(1_000, 4_000, 1, 1000),
        new(1_000, 8_000, 1, 1000),
        new(1_000, 1_000, 100, 1000),
        new(1_000, 200, 500, 1000),
        new(10_000, 500, 20, 500),
    ];

    /// <summary>The model has not seen these when it predicts them.</summary>
    public static IReadOnlyList<CapacityPoint> Checked { get; } =
    [
        new(1_000, 1_500, 1, 1000),
        new(2_000, 2_000, 20, 1000),
        new(5_000, 8_000, 2, 2000),
    ];

    public long TotalItems => (long)Sessions * Items;

    public override string ToString() => Sessions == 0
        ? string.Create(CultureInfo.InvariantCulture, $"{Tags:N0} tags, no session")
        : string.Create(
            CultureInfo.InvariantCulture, $"{Tags:N0} tags, {Sessions:N0} × {Items:N0} items, {IntervalMs} ms");
}
