using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Server.Dispatch;

namespace Gateway.Server.Services;

/// <summary>The MonitoredItem service set: decoding and limits here, the work in the publish engine.
/// Source: Part 4 §5.13.</summary>
internal sealed class MonitoredItemService(ServerLimits limits)
{
    public StatusCode CreateMonitoredItems(ref ServiceCall call)
    {
        if (!call.TryDecode<CreateMonitoredItemsRequest>(out var request))
            return call.Whole.Status;
        var status = Operations.Check(request.ItemsToCreate, limits.MaxMonitoredItemsPerCall);
        return status.IsBad ? status : call.Reply(call.Session.Publishing!.CreateMonitoredItems(request));
    }

    public StatusCode ModifyMonitoredItems(ref ServiceCall call)
    {
        if (!call.TryDecode<ModifyMonitoredItemsRequest>(out var request))
            return call.Whole.Status;
        var status = Operations.Check(request.ItemsToModify, limits.MaxMonitoredItemsPerCall);
        return status.IsBad ? status : call.Reply(call.Session.Publishing!.ModifyMonitoredItems(request));
    }

    public StatusCode SetMonitoringMode(ref ServiceCall call)
    {
        if (!call.TryDecode<SetMonitoringModeRequest>(out var request))
            return call.Whole.Status;
        var status = Operations.Check(request.MonitoredItemIds, limits.MaxMonitoredItemsPerCall);
        return status.IsBad ? status : call.Reply(call.Session.Publishing!.SetMonitoringMode(request));
    }

    public StatusCode SetTriggering(ref ServiceCall call)
    {
        if (!call.TryDecode<SetTriggeringRequest>(out var request))
            return call.Whole.Status;
        var links = (request.LinksToAdd?.Length ?? 0) + (request.LinksToRemove?.Length ?? 0);
        var status = Operations.Check(links, limits.MaxMonitoredItemsPerCall);
        return status.IsBad ? status : call.Reply(call.Session.Publishing!.SetTriggering(request));
    }

    public StatusCode DeleteMonitoredItems(ref ServiceCall call)
    {
        if (!call.TryDecode<DeleteMonitoredItemsRequest>(out var request))
            return call.Whole.Status;
        var status = Operations.Check(request.MonitoredItemIds, limits.MaxMonitoredItemsPerCall);
        return status.IsBad ? status : call.Reply(call.Session.Publishing!.DeleteMonitoredItems(request));
    }
}
