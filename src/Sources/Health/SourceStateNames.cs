namespace Gateway.Sources.Health;

/// <summary>The states as metrics and health checks write them (docs/upstreams.md).</summary>
internal static class SourceStateNames
{
    private static readonly string[] Names =
        [.. Enum.GetNames<SourceState>().Select(static name => char.ToLowerInvariant(name[0]) + name[1..])];

    public static string Of(SourceState state) => Names[(int)state];
}
