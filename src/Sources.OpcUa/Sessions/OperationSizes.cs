using Gateway.Codec.Types;

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

    /// <summary>As the server's OperationLimits say. Source: Part 5 §6.3.11.</summary>
    public static async ValueTask<OperationSizes> ReadAsync(
        IUpstreamSession session, long maxAnswerBytes, CancellationToken cancellation)
    {
        uint[] ids =
        [
            StandardIds.Variables.Server_ServerCapabilities_OperationLimits_MaxNodesPerRead,
            StandardIds.Variables.Server_ServerCapabilities_OperationLimits_MaxNodesPerWrite,
            StandardIds.Variables.Server_ServerCapabilities_OperationLimits_MaxNodesPerBrowse,
            StandardIds.Variables.Server_ServerCapabilities_OperationLimits_MaxMonitoredItemsPerCall,
        ];
        var ours = new OperationSizes();
        var values = new uint[ids.Length];
        for (var i = 0; i < ids.Length; i++)
            values[i] = (await session.ReadVariableAsync(ids[i], maxAnswerBytes, cancellation).ConfigureAwait(false))
                .AsUInt32();
        return new OperationSizes
        {
            NodesPerRead = Effective(values[0], ours.NodesPerRead),
            NodesPerWrite = Effective(values[1], ours.NodesPerWrite),
            NodesPerBrowse = Effective(values[2], ours.NodesPerBrowse),
            MonitoredItemsPerCall = Effective(values[3], ours.MonitoredItemsPerCall),
        };
    }
}
