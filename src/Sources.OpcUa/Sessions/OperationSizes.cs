namespace Gateway.Sources.OpcUa.Sessions;

/// <summary>How many operations one request may carry: the upstream's OperationLimits, and ours where it has none, so
/// that no request grows without bound.</summary>
internal sealed record OperationSizes
{
    private const int Ceiling = 1000;

    public int NodesPerRead { get; init; } = Ceiling;

    public int NodesPerWrite { get; init; } = Ceiling;

    public int NodesPerBrowse { get; init; } = 100;

    public int MonitoredItemsPerCall { get; init; } = Ceiling;

    /// <param name="limit">As read; 0 means the server sets none.</param>
    /// <param name="ours">Used then, and as the most.</param>
    public static int Effective(uint limit, int ours) => limit == 0 ? ours : (int)Math.Min(limit, (uint)ours);
}
