using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Operations;
using Gateway.Operations.Browsing;
using Gateway.Server.Dispatch;
using Gateway.Server.Sessions;
using Gateway.Server.Work;

namespace Gateway.Server.Services;

/// <summary>The View service set, in turns (R44). Source: Part 4 §5.9.</summary>
internal sealed class ViewService(NodeBrowser browser, PathTranslator translator, ServerLimits limits)
{
    public StatusCode Browse(ref ServiceCall call)
    {
        if (!call.TryDecode<BrowseRequest>(out var request, limits.MaxNodesPerBrowse))
            return call.Whole.Status;
        var status = OperationCount.Check(request.NodesToBrowse, limits.MaxNodesPerBrowse);
        // The address space has no Views, so the request is refused instead of ignoring its View.
        if (!status.IsBad && !request.View.ViewId.IsNull)
            status = StatusCodes.BadViewIdUnknown;
        if (status.IsBad)
            return status;

        return call.Run(BrowseAsync(call.Turn, call.Session, request));
    }

    public StatusCode BrowseNext(ref ServiceCall call)
    {
        if (!call.TryDecode<BrowseNextRequest>(out var request, limits.MaxNodesPerBrowse))
            return call.Whole.Status;
        var status = OperationCount.Check(request.ContinuationPoints, limits.MaxNodesPerBrowse);
        if (status.IsBad)
            return status;

        if (!request.ReleaseContinuationPoints)
            return call.Run(BrowseNextAsync(call.Turn, call.Session, request));
        // No results, whatever the points were. Source: Part 4 §5.9.3.2.
        NodeBrowser.Release(call.Session, request.ContinuationPoints!);
        return call.Reply(new BrowseNextResponse { Results = [] });
    }

    public StatusCode TranslateBrowsePathsToNodeIds(ref ServiceCall call)
    {
        if (!call.TryDecode<TranslateBrowsePathsToNodeIdsRequest>(
            out var request, limits.MaxNodesPerTranslateBrowsePathsToNodeIds))
            return call.Whole.Status;
        var status = OperationCount.Check(request.BrowsePaths, limits.MaxNodesPerTranslateBrowsePathsToNodeIds);
        if (status.IsBad)
            return status;

        return call.Run(TranslateAsync(call.Turn, request.BrowsePaths!));
    }

    /// <summary>Nodes are found in O(1) as they are: the ids come back unchanged.</summary>
    public StatusCode RegisterNodes(ref ServiceCall call)
    {
        if (!call.TryDecode<RegisterNodesRequest>(out var request, limits.MaxNodesPerRegisterNodes))
            return call.Whole.Status;
        var status = OperationCount.Check(request.NodesToRegister, limits.MaxNodesPerRegisterNodes);
        return status.IsBad
            ? status
            : call.Reply(new RegisterNodesResponse { RegisteredNodeIds = request.NodesToRegister });
    }

    public StatusCode UnregisterNodes(ref ServiceCall call)
    {
        if (!call.TryDecode<UnregisterNodesRequest>(out var request, limits.MaxNodesPerRegisterNodes))
            return call.Whole.Status;
        var status = OperationCount.Check(request.NodesToUnregister, limits.MaxNodesPerRegisterNodes);
        return status.IsBad ? status : call.Reply(new UnregisterNodesResponse());
    }

    private async ValueTask<BrowseResponse?> BrowseAsync(RequestTurn turn, Session session, BrowseRequest request)
    {
        var results = await browser
            .BrowseAsync(turn, session, request.NodesToBrowse!, request.RequestedMaxReferencesPerNode)
            .ConfigureAwait(false);
        return new BrowseResponse { Results = results };
    }

    private async ValueTask<BrowseNextResponse?> BrowseNextAsync(
        RequestTurn turn, Session session, BrowseNextRequest request) => new()
        {
            Results = await browser.BrowseNextAsync(turn, session, request.ContinuationPoints!).ConfigureAwait(false),
        };

    private async ValueTask<TranslateBrowsePathsToNodeIdsResponse?> TranslateAsync(
        RequestTurn turn, BrowsePath[] paths) => new()
        {
            Results = await translator.TranslateAsync(turn, paths).ConfigureAwait(false),
        };
}
