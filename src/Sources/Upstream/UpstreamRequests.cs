using System.Runtime.CompilerServices;
using Gateway.Client;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.Sources.Upstream;

/// <summary>The services that the connector uses, cut into requests of the size that the upstream takes.
/// Errors: <see cref="ServiceException"/>; results of single operations are StatusCodes.</summary>
internal static class UpstreamRequests
{
    public static async ValueTask<DataValue[]> ReadAsync(
        this IUpstreamSession session,
        IReadOnlyList<ReadValueId> nodes,
        double maxAgeMs,
        int chunk,
        CancellationToken cancellation)
    {
        var values = new DataValue[nodes.Count];
        for (var start = 0; start < nodes.Count; start += chunk)
        {
            var part = Part(nodes, start, chunk);
            var request = new ReadRequest
            {
                MaxAge = maxAgeMs,
                TimestampsToReturn = TimestampsToReturn.Both,
                NodesToRead = part,
            };
            var response = await session.InvokeAsync<ReadRequest, ReadResponse>(request, cancellation)
                .ConfigureAwait(false);
            Matching(response.Results, part.Length).CopyTo(values, start);
        }

        return values;
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

    /// <summary>All references of each node, continuation points followed to their ends; one answer at a time, so that
    /// no more than one is held. Errors also: <see cref="UpstreamBoundException"/>.</summary>
    public static async IAsyncEnumerable<(int Node, ReferenceDescription[] References)> BrowseAsync(
        this IUpstreamSession session,
        IReadOnlyList<BrowseDescription> nodes,
        int chunk,
        BrowseBudget budget,
        [EnumeratorCancellation] CancellationToken cancellation)
    {
        for (var start = 0; start < nodes.Count; start += chunk)
        {
            budget.CheckTime();
            var part = Part(nodes, start, chunk);
            var response = await session.InvokeAsync<BrowseRequest, BrowseResponse>(
                new BrowseRequest { NodesToBrowse = part }, cancellation).ConfigureAwait(false);
            var results = Matching(response.Results, part.Length);
            for (var i = 0; i < part.Length; i++)
            {
                var (result, rounds, empty) = (results[i], 0, 0);
                while (true)
                {
                    var references = result.References ?? [];
                    budget.TakeReferences(references);
                    yield return (start + i, references);
                    if (result.ContinuationPoint is not { Length: > 0 } point)
                        break;
                    empty = references.Length == 0 ? empty + 1 : 0;
                    BrowseBudget.ThrowIfEndless(budget.Limits, ++rounds, empty);
                    budget.CheckTime();
                    result = await BrowseNextAsync(session, point, cancellation).ConfigureAwait(false);
                }
            }
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
