namespace Gateway.Sources.Upstreams;

/// <summary>One of the servers behind an upstream. Texts are escaped and cut.</summary>
/// <param name="EndpointUrl">As configured.</param>
/// <param name="State">active, standby, unused, or away.</param>
/// <param name="ServiceLevel">As it said last; null: never.</param>
/// <param name="LastError">Null: none since it was connected last.</param>
public sealed record RedundantServer(string EndpointUrl, string State, byte? ServiceLevel, string? LastError)
{
    /// <summary>Items that sample along there, so that it takes over without a gap; null: it has none.</summary>
    public int? StandbyItems { get; init; }
}
