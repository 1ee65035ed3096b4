using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Server.Browsing;
using Gateway.Server.Dispatch;

namespace Gateway.Server.Services;

/// <summary>The View service set. Source: Part 4 §5.9.</summary>
internal sealed class ViewService(
    NodeTable nodes, NodeBrowser browser, PathTranslator translator, ServerLimits limits)
{
    public StatusCode Browse(ref ServiceCall call)
    {
        if (!call.TryDecode<BrowseRequest>(out var request))
            return call.Whole.Status;
        var status = Operations.Check(request.NodesToBrowse, limits.MaxNodesPerBrowse);
        if (!status.IsBad)
            status = CheckView(request.View);
        if (status.IsBad)
            return status;

        var results = new BrowseResult[request.NodesToBrowse!.Length];
        var budget = limits.MaxReferencesPerCall;
        for (var i = 0; i < results.Length; i++)
            results[i] = browser.Browse(
                call.Session, request.NodesToBrowse[i], request.RequestedMaxReferencesPerNode, ref budget);
        return call.Reply(new BrowseResponse { Results = results });
    }

    public StatusCode BrowseNext(ref ServiceCall call)
    {
        if (!call.TryDecode<BrowseNextRequest>(out var request))
            return call.Whole.Status;
        var status = Operations.Check(request.ContinuationPoints, limits.MaxNodesPerBrowse);
        if (status.IsBad)
            return status;

        var results = new BrowseResult[request.ContinuationPoints!.Length];
        var budget = limits.MaxReferencesPerCall;
        for (var i = 0; i < results.Length; i++)
        {
            var cursor = call.Session.ContinuationPoints.Take(request.ContinuationPoints[i]);
            if (cursor is null)
                results[i] = new BrowseResult { StatusCode = StatusCodes.BadContinuationPointInvalid };
            else if (!request.ReleaseContinuationPoints)
                results[i] = browser.Continue(call.Session, cursor, ref budget);
        }

        return call.Reply(new BrowseNextResponse { Results = results });
    }

    public StatusCode TranslateBrowsePathsToNodeIds(ref ServiceCall call)
    {
        if (!call.TryDecode<TranslateBrowsePathsToNodeIdsRequest>(out var request))
            return call.Whole.Status;
        var status = Operations.Check(request.BrowsePaths, limits.MaxNodesPerTranslateBrowsePathsToNodeIds);
        if (status.IsBad)
            return status;

        var results = new BrowsePathResult[request.BrowsePaths!.Length];
        for (var i = 0; i < results.Length; i++)
            results[i] = translator.Translate(call.Session.Roles, request.BrowsePaths[i]);
        return call.Reply(new TranslateBrowsePathsToNodeIdsResponse { Results = results });
    }

    /// <summary>Nodes are found in O(1) as they are: the ids come back unchanged.</summary>
    public StatusCode RegisterNodes(ref ServiceCall call)
    {
        if (!call.TryDecode<RegisterNodesRequest>(out var request))
            return call.Whole.Status;
        var status = Operations.Check(request.NodesToRegister, limits.MaxNodesPerRegisterNodes);
        return status.IsBad
            ? status
            : call.Reply(new RegisterNodesResponse { RegisteredNodeIds = request.NodesToRegister });
    }

    public StatusCode UnregisterNodes(ref ServiceCall call)
    {
        if (!call.TryDecode<UnregisterNodesRequest>(out var request))
            return call.Whole.Status;
        var status = Operations.Check(request.NodesToUnregister, limits.MaxNodesPerRegisterNodes);
        return status.IsBad ? status : call.Reply(new UnregisterNodesResponse());
    }

    /// <summary>Null means the whole address space; a View restricts nothing here beyond having to exist.</summary>
    private StatusCode CheckView(ViewDescription view)
    {
        if (view.ViewId.IsNull)
            return StatusCode.Good;
        return nodes.GetNodeClass(nodes.Find(view.ViewId)) == NodeClass.View
            ? StatusCode.Good
            : StatusCodes.BadViewIdUnknown;
    }
}
