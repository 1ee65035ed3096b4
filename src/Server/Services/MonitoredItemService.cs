using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Server.Dispatch;

namespace Gateway.Server.Services;

/// <summary>The MonitoredItem service set: decoding and limits here, the work in the publish engine.
/// Source: Part 4 §5.13.</summary>
internal sealed class MonitoredItemService(ServerLimits limits)
{
    public StatusCode CreateMonitoredItems(ref ServiceCall call) => Operations.HandOn(
        ref call,
        limits.MaxMonitoredItemsPerCall,
        static (CreateMonitoredItemsRequest request) => request.ItemsToCreate?.Length ?? 0,
        static (session, request) => session.CreateMonitoredItems(request));

    public StatusCode ModifyMonitoredItems(ref ServiceCall call) => Operations.HandOn(
        ref call,
        limits.MaxMonitoredItemsPerCall,
        static (ModifyMonitoredItemsRequest request) => request.ItemsToModify?.Length ?? 0,
        static (session, request) => session.ModifyMonitoredItems(request));

    public StatusCode SetMonitoringMode(ref ServiceCall call) => Operations.HandOn(
        ref call,
        limits.MaxMonitoredItemsPerCall,
        static (SetMonitoringModeRequest request) => request.MonitoredItemIds?.Length ?? 0,
        static (session, request) => session.SetMonitoringMode(request));

    public StatusCode SetTriggering(ref ServiceCall call) => Operations.HandOn(
        ref call,
        limits.MaxMonitoredItemsPerCall,
        static (SetTriggeringRequest request) =>
            (request.LinksToAdd?.Length ?? 0) + (request.LinksToRemove?.Length ?? 0),
        static (session, request) => session.SetTriggering(request));

    public StatusCode DeleteMonitoredItems(ref ServiceCall call) => Operations.HandOn(
        ref call,
        limits.MaxMonitoredItemsPerCall,
        static (DeleteMonitoredItemsRequest request) => request.MonitoredItemIds?.Length ?? 0,
        static (session, request) => session.DeleteMonitoredItems(request));
}
