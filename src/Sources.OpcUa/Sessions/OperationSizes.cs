using Gateway.Codec.Types;

namespace Gateway.Sources.OpcUa.Sessions;

/// <summary>The means of the upstream, as it says. How many operations one request may carry: its OperationLimits, and
/// ours where it has none, so that no request grows without bound. And how much it has for a session.</summary>
internal sealed record OperationSizes
{
    /// <summary>Values of the Server object that the gateway reads at once for itself.</summary>
    public const int MostOfUpkeep = 4;

    private const int Ceiling = 1000;

    public int NodesPerRead { get; init; } = Ceiling;

    public int NodesPerWrite { get; init; } = Ceiling;

    public int NodesPerBrowse { get; init; } = 100;

    public int MonitoredItemsPerCall { get; init; } = Ceiling;

    /// <summary>Of the whole server: others may have some of them.</summary>
    public int MonitoredItems { get; init; } = int.MaxValue;

    public int ItemsPerSubscription { get; init; } = int.MaxValue;

    public int Subscriptions { get; init; } = int.MaxValue;

    /// <param name="limit">As read; 0 means the server sets none.</param>
    /// <param name="ours">Used then, and as the most.</param>
    public static int Effective(uint limit, int ours) => limit == 0 ? ours : (int)Math.Min(limit, (uint)ours);

    /// <summary>As the server says; what it does not have is no limit. Source: Part 5 §6.3.2, §6.3.11.</summary>
    public static async ValueTask<OperationSizes> ReadAsync(
        IUpstreamSession session, long maxAnswerBytes, CancellationToken cancellation)
    {
        uint[] ids =
        [
            StandardIds.Variables.Server_ServerCapabilities_OperationLimits_MaxNodesPerWrite,
            StandardIds.Variables.Server_ServerCapabilities_OperationLimits_MaxNodesPerBrowse,
            StandardIds.Variables.Server_ServerCapabilities_OperationLimits_MaxMonitoredItemsPerCall,
            StandardIds.Variables.Server_ServerCapabilities_MaxMonitoredItems,
            StandardIds.Variables.Server_ServerCapabilities_MaxMonitoredItemsPerSubscription,
            StandardIds.Variables.Server_ServerCapabilities_MaxSubscriptionsPerSession,
        ];
        var ours = new OperationSizes();
        var most = await session.ReadVariableAsync(
            StandardIds.Variables.Server_ServerCapabilities_OperationLimits_MaxNodesPerRead, maxAnswerBytes,
            cancellation).ConfigureAwait(false);
        var perRead = Effective(most.AsUInt32(), ours.NodesPerRead);
        var limits = await session.ReadVariablesAsync(
            ids, Math.Min(perRead, MostOfUpkeep), maxAnswerBytes, cancellation)
            .ConfigureAwait(false);
        return new OperationSizes
        {
            NodesPerRead = perRead,
            NodesPerWrite = Effective(limits[0].AsUInt32(), ours.NodesPerWrite),
            NodesPerBrowse = Effective(limits[1].AsUInt32(), ours.NodesPerBrowse),
            MonitoredItemsPerCall = Effective(limits[2].AsUInt32(), ours.MonitoredItemsPerCall),
            MonitoredItems = Effective(limits[3].AsUInt32(), ours.MonitoredItems),
            ItemsPerSubscription = Effective(limits[4].AsUInt32(), ours.ItemsPerSubscription),
            Subscriptions = Effective(limits[5].AsUInt32(), ours.Subscriptions),
        };
    }
}
