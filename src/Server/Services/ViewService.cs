using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Server.Browsing;
using Gateway.Server.Dispatch;
using Gateway.Server.Sessions;
using Gateway.Server.Work;

namespace Gateway.Server.Services;

/// <summary>The View service set, worked off in turns (R44). Source: Part 4 §5.9.</summary>
internal sealed class ViewService(
    NodeBrowser browser, PathTranslator translator, WorkQueue work, ServerLimits limits)
{
    /// <summary>Of work, besides the references: finding the node, the answer's head.</summary>
    private const int UnitsToBegin = 4;

    public StatusCode Browse(ref ServiceCall call)
    {
        if (!call.TryDecode<BrowseRequest>(out var request, limits.MaxNodesPerBrowse))
            return call.Whole.Status;
        var status = Operations.Check(request.NodesToBrowse, limits.MaxNodesPerBrowse);
        // No node says what a View holds, so none restricts here: it is refused instead of ignored.
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
        var status = Operations.Check(request.ContinuationPoints, limits.MaxNodesPerBrowse);
        if (status.IsBad)
            return status;

        return request.ReleaseContinuationPoints
            ? call.Reply(Release(call.Session, request.ContinuationPoints!))
            : call.Run(BrowseNextAsync(call.Turn, call.Session, request));
    }

    public StatusCode TranslateBrowsePathsToNodeIds(ref ServiceCall call)
    {
        if (!call.TryDecode<TranslateBrowsePathsToNodeIdsRequest>(
            out var request, limits.MaxNodesPerTranslateBrowsePathsToNodeIds))
            return call.Whole.Status;
        var status = Operations.Check(request.BrowsePaths, limits.MaxNodesPerTranslateBrowsePathsToNodeIds);
        if (status.IsBad)
            return status;

        return call.Run(TranslateAsync(call.Turn, request.BrowsePaths!));
    }

    /// <summary>Nodes are found in O(1) as they are: the ids come back unchanged.</summary>
    public StatusCode RegisterNodes(ref ServiceCall call)
    {
        if (!call.TryDecode<RegisterNodesRequest>(out var request, limits.MaxNodesPerRegisterNodes))
            return call.Whole.Status;
        var status = Operations.Check(request.NodesToRegister, limits.MaxNodesPerRegisterNodes);
        return status.IsBad
            ? status
            : call.Reply(new RegisterNodesResponse { RegisteredNodeIds = request.NodesToRegister });
    }

    public StatusCode UnregisterNodes(ref ServiceCall call)
    {
        if (!call.TryDecode<UnregisterNodesRequest>(out var request, limits.MaxNodesPerRegisterNodes))
            return call.Whole.Status;
        var status = Operations.Check(request.NodesToUnregister, limits.MaxNodesPerRegisterNodes);
        return status.IsBad ? status : call.Reply(new UnregisterNodesResponse());
    }

    private async ValueTask<BrowseResponse?> BrowseAsync(WorkTurn turn, Session session, BrowseRequest request)
    {
        var results = new BrowseResult[request.NodesToBrowse!.Length];
        var number = ContinuationPoints.BeginRequest();
        var budget = limits.MaxReferencesPerCall;
        for (var i = 0; i < results.Length; i++)
        {
            if (!turn.Take(UnitsToBegin))
                await turn.NextAsync().ConfigureAwait(false);
            var result = browser.Begin(
                turn.Caller, request.NodesToBrowse[i], request.RequestedMaxReferencesPerNode, number, out var part);
            while ((result ??= browser.Step(session, part, turn, ref budget)) is null)
                await turn.NextAsync().ConfigureAwait(false);
            results[i] = result.GetValueOrDefault();
        }

        return new BrowseResponse { Results = results };
    }

    /// <summary>No results, whatever the points were. Source: Part 4 §5.9.3.2.</summary>
    private static BrowseNextResponse Release(Session session, byte[]?[] points)
    {
        foreach (var point in points)
            session.ContinuationPoints.Take(point);
        return new BrowseNextResponse { Results = [] };
    }

    private async ValueTask<BrowseNextResponse?> BrowseNextAsync(
        WorkTurn turn, Session session, BrowseNextRequest request)
    {
        var results = new BrowseResult[request.ContinuationPoints!.Length];
        var number = ContinuationPoints.BeginRequest();
        var budget = limits.MaxReferencesPerCall;
        for (var i = 0; i < results.Length; i++)
        {
            if (!turn.Take(UnitsToBegin))
                await turn.NextAsync().ConfigureAwait(false);
            if (session.ContinuationPoints.Take(request.ContinuationPoints[i]) is not { } cursor)
            {
                results[i] = new BrowseResult { StatusCode = StatusCodes.BadContinuationPointInvalid };
                continue;
            }

            var part = new BrowsePart(cursor, number);
            BrowseResult? result = null;
            while ((result ??= browser.Step(session, part, turn, ref budget)) is null)
                await turn.NextAsync().ConfigureAwait(false);
            results[i] = result.GetValueOrDefault();
        }

        return new BrowseNextResponse { Results = results };
    }

    /// <summary>All paths share what one request may do; those that are left then are too complex.</summary>
    private async ValueTask<TranslateBrowsePathsToNodeIdsResponse?> TranslateAsync(
        WorkTurn turn, BrowsePath[] paths)
    {
        var results = new BrowsePathResult[paths.Length];
        var names = new NameIndexes();
        for (var i = 0; i < results.Length; i++)
        {
            if (!turn.Take(UnitsToBegin))
                await turn.NextAsync().ConfigureAwait(false);
            var result = translator.Begin(turn.Caller, paths[i], names, out var walk);
            while ((result ??= translator.Step(walk, turn)) is null)
                await turn.NextAsync().ConfigureAwait(false);
            results[i] = result.GetValueOrDefault();
            if (turn.IsSpent && results[i].StatusCode.CodeBits == StatusCodes.BadQueryTooComplex)
                work.CountRefused();
        }

        return new TranslateBrowsePathsToNodeIdsResponse { Results = results };
    }
}
