namespace Gateway.Sources.OpcUa.Load;

/// <summary>Named budgets to begin with, by kind of server. docs/upstreams.md says where each figure comes from.
/// </summary>
public static class UpstreamProfiles
{
    public const string Generic = "generic";

    private static readonly (string Name, UpstreamBudget Budget)[] All =
    [
        (Generic, new(100_000, 10, 1_000, 100_000)),
        ("s7-1500", new(2_000, 4, 50, 4_000)),
        ("s7-1200", new(1_000, 2, 10, 500)),
        ("beckhoff", new(10_000, 4, 100, 10_000)),
        ("codesys", new(2_000, 2, 20, 1_000)),
        ("kepware", new(50_000, 10, 200, 20_000)),
        ("ignition", new(100_000, 10, 500, 50_000)),
    ];

    /// <summary>Of <see cref="Generic"/>.</summary>
    public static UpstreamBudget Default => Find(Generic)!;

    public static IReadOnlyList<string> Names { get; } = Array.ConvertAll(All, static one => one.Name);

    /// <summary>Null: there is none of that name.</summary>
    public static UpstreamBudget? Find(string name) =>
        Array.Find(All, one => one.Name.Equals(name, StringComparison.OrdinalIgnoreCase)).Budget;
}
