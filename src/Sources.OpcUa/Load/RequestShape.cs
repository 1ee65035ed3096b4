using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Sources.OpcUa.Sessions;

namespace Gateway.Sources.OpcUa.Load;

/// <summary>A request as the budget sees it.</summary>
/// <param name="Class">Its turn.</param>
/// <param name="Reads">Values that it asks for.</param>
/// <param name="Operations">All that it asks for.</param>
/// <param name="IsTimed">Requests of this kind and size take about the same time. Methods and browses do not.</param>
internal readonly record struct RequestShape(RequestClass Class, int Reads, int Operations, bool IsTimed)
{
    public static RequestShape Of(IServiceRequest request) => request switch
    {
        ReadRequest read => OfRead(read.NodesToRead ?? []),
        WriteRequest write => new(RequestClass.Act, 0, write.NodesToWrite?.Length ?? 0, true),
        CallRequest call => new(RequestClass.Act, 0, call.MethodsToCall?.Length ?? 0, false),
        CreateMonitoredItemsRequest create => new(RequestClass.Upkeep, 0, create.ItemsToCreate?.Length ?? 0, true),
        ModifyMonitoredItemsRequest modify => new(RequestClass.Upkeep, 0, modify.ItemsToModify?.Length ?? 0, true),
        DeleteMonitoredItemsRequest delete => new(RequestClass.Upkeep, 0, delete.MonitoredItemIds?.Length ?? 0, true),
        SetPublishingModeRequest set => new(RequestClass.Upkeep, 0, set.SubscriptionIds?.Length ?? 0, true),
        BrowseRequest browse => new(RequestClass.Read, 0, browse.NodesToBrowse?.Length ?? 0, false),
        _ => new(RequestClass.Read, 0, 1, false),
    };

    /// <summary>A few values of the Server object, which no client of the gateway can ask for, are its own look at the
    /// session and at the server's state.</summary>
    private static RequestShape OfRead(ReadValueId[] nodes)
    {
        var values = 0;
        foreach (var node in nodes)
            values += node.AttributeId == (uint)AttributeId.Value ? 1 : 0;
        var isUpkeep = nodes.Length is > 0 and <= OperationSizes.MostOfUpkeep && Array.TrueForAll(
            nodes, static one => one.NodeId is { NamespaceIndex: 0, IdType: IdType.Numeric });
        return new(isUpkeep ? RequestClass.Upkeep : RequestClass.Read, isUpkeep ? 0 : values, nodes.Length, true);
    }
}
