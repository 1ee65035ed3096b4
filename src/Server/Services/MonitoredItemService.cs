using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Operations;
using Gateway.Publish;
using Gateway.Server.Dispatch;
using Gateway.Server.Work;

namespace Gateway.Server.Services;

/// <summary>The MonitoredItem service set: decoding, limits and turns here, the work in the publish engine.
/// Source: Part 4 §5.13.</summary>
internal sealed class MonitoredItemService(PublishLimits limits)
{
    /// <summary>Items handled before the turn is checked: about a quarter of a millisecond.</summary>
    private const int PartItems = 64;

    private const int UnitsToCreate = 40;

    /// <summary>Bytes in one unit, for a new item with an IndexRange: its value is cut as in a Read.</summary>
    private const int BytesOfUnit = 64;

    private const int UnitsToChange = 10;

    private static readonly OperationParts<
        CreateMonitoredItemsRequest, MonitoredItemCreateRequest, CreateMonitoredItemsResponse,
        MonitoredItemCreateResult> Creation = new(
            PartItems,
            UnitsToCreate,
            static request => request.ItemsToCreate,
            static (request, items) => new CreateMonitoredItemsRequest
            {
                SubscriptionId = request.SubscriptionId,
                TimestampsToReturn = request.TimestampsToReturn,
                ItemsToCreate = items,
            },
            static (session, request) => session.CreateMonitoredItems(request),
            static response => response.Results,
            static results => new CreateMonitoredItemsResponse { Results = results },
            static status => new MonitoredItemCreateResult { StatusCode = status },
            static (session, item) => session.BytesToCut(item) / BytesOfUnit);

    private static readonly OperationParts<
        ModifyMonitoredItemsRequest, MonitoredItemModifyRequest, ModifyMonitoredItemsResponse,
        MonitoredItemModifyResult> Modification = new(
            PartItems,
            UnitsToChange,
            static request => request.ItemsToModify,
            static (request, items) => new ModifyMonitoredItemsRequest
            {
                SubscriptionId = request.SubscriptionId,
                TimestampsToReturn = request.TimestampsToReturn,
                ItemsToModify = items,
            },
            static (session, request) => session.ModifyMonitoredItems(request),
            static response => response.Results,
            static results => new ModifyMonitoredItemsResponse { Results = results },
            static status => new MonitoredItemModifyResult { StatusCode = status });

    private static readonly OperationParts<
        SetMonitoringModeRequest, uint, SetMonitoringModeResponse, StatusCode> ModeChange = new(
            PartItems,
            UnitsToChange,
            static request => request.MonitoredItemIds,
            static (request, items) => new SetMonitoringModeRequest
            {
                SubscriptionId = request.SubscriptionId,
                MonitoringMode = request.MonitoringMode,
                MonitoredItemIds = items,
            },
            static (session, request) => session.SetMonitoringMode(request),
            static response => response.Results,
            static results => new SetMonitoringModeResponse { Results = results },
            static status => status);

    private static readonly OperationParts<
        DeleteMonitoredItemsRequest, uint, DeleteMonitoredItemsResponse, StatusCode> Deletion = new(
            PartItems,
            UnitsToChange,
            static request => request.MonitoredItemIds,
            static (request, items) => new DeleteMonitoredItemsRequest
            {
                SubscriptionId = request.SubscriptionId,
                MonitoredItemIds = items,
            },
            static (session, request) => session.DeleteMonitoredItems(request),
            static response => response.Results,
            static results => new DeleteMonitoredItemsResponse { Results = results },
            static status => status);

    /// <summary>An item with an IndexRange is charged by the size of the whole value.</summary>
    public StatusCode CreateMonitoredItems(ref ServiceCall call) =>
        ServiceOperations.HandOn(ref call, limits.MaxMonitoredItemsPerCall, Creation);

    public StatusCode ModifyMonitoredItems(ref ServiceCall call) =>
        ServiceOperations.HandOn(ref call, limits.MaxMonitoredItemsPerCall, Modification);

    public StatusCode SetMonitoringMode(ref ServiceCall call) =>
        ServiceOperations.HandOn(ref call, limits.MaxMonitoredItemsPerCall, ModeChange);

    public StatusCode DeleteMonitoredItems(ref ServiceCall call) =>
        ServiceOperations.HandOn(ref call, limits.MaxMonitoredItemsPerCall, Deletion);

    /// <summary>Links are removed before they are added.</summary>
    public StatusCode SetTriggering(ref ServiceCall call)
    {
        if (!call.TryDecode<SetTriggeringRequest>(out var request, limits.MaxMonitoredItemsPerCall))
            return call.Whole.Status;
        var links = (request.LinksToAdd?.Length ?? 0) + (request.LinksToRemove?.Length ?? 0);
        var status = OperationCount.Check(links, limits.MaxMonitoredItemsPerCall);
        if (status.IsBad)
            return status;
        return links <= PartItems
            ? call.Reply(call.Session.Publishing!.SetTriggering(request))
            : call.Run(SetTriggeringAsync(call.Turn, call.Session.Publishing!, request));
    }

    private static async ValueTask<SetTriggeringResponse?> SetTriggeringAsync(
        RequestTurn turn, PublishSession session, SetTriggeringRequest request)
    {
        var (add, remove) = (request.LinksToAdd ?? [], request.LinksToRemove ?? []);
        var (added, removed) = (new StatusCode[add.Length], new StatusCode[remove.Length]);
        for (var start = 0; start < remove.Length + add.Length;)
        {
            if (!turn.Take(PartItems * UnitsToChange))
                await turn.NextAsync().ConfigureAwait(false);
            var isRemoval = start < remove.Length;
            var (links, results, first) = isRemoval ? (remove, removed, start) : (add, added, start - remove.Length);
            var end = Math.Min(links.Length, first + PartItems);
            var response = session.SetTriggering(new SetTriggeringRequest
            {
                SubscriptionId = request.SubscriptionId,
                TriggeringItemId = request.TriggeringItemId,
                LinksToRemove = isRemoval ? links[first..end] : null,
                LinksToAdd = isRemoval ? null : links[first..end],
            });
            var status = response.ResponseHeader.ServiceResult;
            if (status.IsBad && start == 0)
                return response;
            if (status.IsBad)
                Array.Fill(results, status, first, end - first);
            else
                (isRemoval ? response.RemoveResults : response.AddResults)!.CopyTo(results, first);
            start += end - first;
        }

        return new SetTriggeringResponse { AddResults = added, RemoveResults = removed };
    }
}
