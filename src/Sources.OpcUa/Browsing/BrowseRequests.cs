using System.Runtime.CompilerServices;
using Gateway.Client;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Sources.OpcUa.Sessions;

namespace Gateway.Sources.OpcUa.Browsing;

/// <summary>Browse and BrowseNext within a budget. Errors: <see cref="ServiceException"/>, <see
/// cref="UpstreamBoundException"/>.</summary>
internal static class BrowseRequests
{
    /// <summary>All references of each node, or its status; one answer at a time, so that no more than one is held.
    /// A server may have a single continuation point (Part 4 §7.9): those of an answer are followed to their ends
    /// before the next Browse, and nodes that were refused for want of one are browsed again, fewer in a request.
    /// Errors also: Bad_NoContinuationPoints where none is to be had.</summary>
    public static async IAsyncEnumerable<(int Node, BrowseResult Result)> BrowseAsync(
        this IUpstreamSession session,
        IReadOnlyList<BrowseDescription> nodes,
        int chunk,
        BrowseBudget budget,
        [EnumeratorCancellation] CancellationToken cancellation)
    {
        var waiting = new Queue<int>(Enumerable.Range(0, nodes.Count));
        var size = chunk;
        while (waiting.Count > 0)
        {
            budget.CheckTime();
            var part = new int[Math.Min(size, waiting.Count)];
            for (var i = 0; i < part.Length; i++)
                part[i] = waiting.Dequeue();
            var results = await BrowseOnceAsync(session, nodes, part, cancellation).ConfigureAwait(false);
            var refused = 0;
            for (var i = 0; i < part.Length; i++)
            {
                if (results[i].StatusCode.CodeBits == StatusCodes.BadNoContinuationPoints)
                {
                    waiting.Enqueue(part[i]);
                    refused++;
                    continue;
                }

                var all = FollowAsync(session, results[i], budget, cancellation);
                await foreach (var result in all.ConfigureAwait(false))
                    yield return (part[i], result);
            }

            if (refused == 1 && part.Length == 1)
                throw new ServiceException(StatusCodes.BadNoContinuationPoints, "Browse of a single node");
            size = refused == 0 ? Math.Min(chunk, 2 * size) : Math.Max(1, part.Length - refused);
        }
    }

    private static async ValueTask<BrowseResult[]> BrowseOnceAsync(
        IUpstreamSession session, IReadOnlyList<BrowseDescription> nodes, int[] part, CancellationToken cancellation)
    {
        var request = new BrowseRequest { NodesToBrowse = Array.ConvertAll(part, node => nodes[node]) };
        var response = await session.InvokeAsync<BrowseRequest, BrowseResponse>(request, cancellation)
            .ConfigureAwait(false);
        return UpstreamRequests.Matching(response.Results, part.Length);
    }

    /// <summary>A node's result, and what its continuation points lead to.</summary>
    private static async IAsyncEnumerable<BrowseResult> FollowAsync(
        IUpstreamSession session,
        BrowseResult result,
        BrowseBudget budget,
        [EnumeratorCancellation] CancellationToken cancellation)
    {
        for (var (rounds, empty) = (0, 0); ;)
        {
            var references = result.References ?? [];
            budget.TakeReferences(references);
            yield return result;
            if (result.ContinuationPoint is not { Length: > 0 } point)
                yield break;
            empty = references.Length == 0 ? empty + 1 : 0;
            BrowseBudget.ThrowIfEndless(budget.Limits, ++rounds, empty);
            budget.CheckTime();
            result = await BrowseNextAsync(session, point, cancellation).ConfigureAwait(false);
        }
    }

    private static async ValueTask<BrowseResult> BrowseNextAsync(
        IUpstreamSession session, byte[] point, CancellationToken cancellation)
    {
        var response = await session.InvokeAsync<BrowseNextRequest, BrowseNextResponse>(
            new BrowseNextRequest { ContinuationPoints = [point] }, cancellation).ConfigureAwait(false);
        var result = UpstreamRequests.Matching(response.Results, 1)[0];
        return result.StatusCode.IsBad ? throw new ServiceException(result.StatusCode, "BrowseNext") : result;
    }
}
