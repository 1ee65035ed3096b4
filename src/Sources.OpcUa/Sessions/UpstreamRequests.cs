using System.Runtime.CompilerServices;
using Gateway.Client;
using Gateway.Codec.Binary;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Sources.OpcUa.Browsing;

namespace Gateway.Sources.OpcUa.Sessions;

/// <summary>The services that the connector uses, cut into requests of the size that the upstream takes.
/// Errors: <see cref="ServiceException"/>; results of single operations are StatusCodes.</summary>
internal static class UpstreamRequests
{
    /// <summary>Values that the allowance has no room for are Bad_ResponseTooLarge, and so is the rest, which is not
    /// asked for: each answer alone may be as large as a message.</summary>
    public static async ValueTask<DataValue[]> ReadAsync(
        this IUpstreamSession session,
        IReadOnlyList<ReadValueId> nodes,
        double maxAgeMs,
        int chunk,
        ValueAllowance allowance,
        CancellationToken cancellation)
    {
        var values = new DataValue[nodes.Count];
        for (var start = 0; start < nodes.Count; start += chunk)
        {
            if (allowance.IsSpent)
            {
                values.AsSpan(start).Fill(new DataValue(StatusCodes.BadResponseTooLarge));
                break;
            }

            var part = Part(nodes, start, chunk);
            var request = new ReadRequest
            {
                MaxAge = maxAgeMs,
                TimestampsToReturn = TimestampsToReturn.Both,
                NodesToRead = part,
            };
            var response = await session.InvokeAsync<ReadRequest, ReadResponse>(request, cancellation)
                .ConfigureAwait(false);
            Take(Matching(response.Results, part.Length), allowance, values.AsSpan(start));
        }

        return values;
    }

    private static void Take(DataValue[] answer, ValueAllowance allowance, Span<DataValue> values)
    {
        for (var i = 0; i < answer.Length; i++)
            values[i] = allowance.TryTake(answer[i].Value) ? answer[i] : new DataValue(StatusCodes.BadResponseTooLarge);
    }

    public static async ValueTask<StatusCode[]> WriteAsync(
        this IUpstreamSession session, IReadOnlyList<WriteValue> writes, int chunk, CancellationToken cancellation)
    {
        var results = new StatusCode[writes.Count];
        for (var start = 0; start < writes.Count; start += chunk)
        {
            var part = Part(writes, start, chunk);
            var response = await session.InvokeAsync<WriteRequest, WriteResponse>(
                new WriteRequest { NodesToWrite = part }, cancellation).ConfigureAwait(false);
            Matching(response.Results, part.Length).CopyTo(results, start);
        }

        return results;
    }

    /// <summary>All references of each node, or its status; one answer at a time, so that no more than one is held.
    /// A server may have a single continuation point (Part 4 §7.9): those of an answer are followed to their ends
    /// before the next Browse, and nodes that were refused for want of one are browsed again, fewer in a request.
    /// Errors also: <see cref="UpstreamBoundException"/>; Bad_NoContinuationPoints where none is to be had.</summary>
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
        return Matching(response.Results, part.Length);
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
        var result = Matching(response.Results, 1)[0];
        return result.StatusCode.IsBad ? throw new ServiceException(result.StatusCode, "BrowseNext") : result;
    }

    public static T[] Matching<T>(T[]? results, int count) => results?.Length == count
        ? results
        : throw new ServiceException(StatusCodes.BadUnexpectedError, "the number of results is not that of operations");

    public static T[] Part<T>(IReadOnlyList<T> all, int start, int chunk)
    {
        var part = new T[Math.Min(chunk, all.Count - start)];
        for (var i = 0; i < part.Length; i++)
            part[i] = all[start + i];
        return part;
    }
}
