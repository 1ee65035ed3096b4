using Gateway.Client;
using Gateway.Codec.Binary;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Sources.OpcUa.Load;

namespace Gateway.Sources.OpcUa.Sessions;

/// <summary>The services that the connector uses, cut into requests of the size that the upstream takes.
/// Errors: <see cref="ServiceException"/>; results of single operations are StatusCodes.</summary>
internal static class UpstreamRequests
{
    /// <summary>Answers that may be cut in a ReadAsync: ten find one bad value of a thousand.</summary>
    private const int MaxCuts = 64;

    /// <summary>Values that the allowance has no room for are Bad_ResponseTooLarge, and so is the rest, which is not
    /// asked for: each answer alone may be as large as a message. A value that cannot be decoded is Bad_DecodingError:
    /// its answer cannot be decoded either, so half of the nodes are asked for again until it is found. Those for which
    /// the upstream's budget has no room are Bad_ResourceUnavailable.</summary>
    public static async ValueTask<DataValue[]> ReadAsync(
        this IUpstreamSession session,
        IReadOnlyList<ReadValueId> nodes,
        double maxAgeMs,
        int chunk,
        ValueAllowance allowance,
        CancellationToken cancellation)
    {
        var values = new DataValue[nodes.Count];
        var (size, cuts) = (chunk, 0);
        for (var start = 0; start < nodes.Count;)
        {
            if (allowance.IsSpent)
            {
                values.AsSpan(start).Fill(new DataValue(StatusCodes.BadResponseTooLarge));
                break;
            }

            var part = Part(nodes, start, size);
            var request = new ReadRequest
            {
                MaxAge = maxAgeMs,
                TimestampsToReturn = TimestampsToReturn.Both,
                NodesToRead = part,
            };
            try
            {
                var response = await session.InvokeAsync<ReadRequest, ReadResponse>(request, cancellation)
                    .ConfigureAwait(false);
                Take(Matching(response.Results, part.Length), allowance, values.AsSpan(start));
                start += part.Length;
            }
            catch (UpstreamBudgetException)
            {
                values.AsSpan(start).Fill(new DataValue(UpstreamBudgetException.Status));
                break;
            }
            catch (ServiceException exception)
                when (exception.Status.CodeBits == StatusCodes.BadDecodingError && cuts++ < MaxCuts)
            {
                size = part.Length / 2;
                if (size > 0)
                    continue;
                values[start++] = new DataValue(StatusCodes.BadDecodingError);
                size = chunk;
            }
        }

        return values;
    }

    /// <summary>Ends the connection, and waits until no message of it is being handled any more: its subscriptions may
    /// go on elsewhere only then. A request learns of the end before.</summary>
    public static async ValueTask EndAsync(this IUpstreamSession session)
    {
        if (!session.Closed.IsCompleted)
            session.Abort();
        await session.Closed.ConfigureAwait(false);
    }

    private static void Take(DataValue[] answer, ValueAllowance allowance, Span<DataValue> values)
    {
        for (var i = 0; i < answer.Length; i++)
            values[i] = allowance.TryTake(answer[i].Value) ? answer[i] : new DataValue(StatusCodes.BadResponseTooLarge);
    }

    /// <summary>Goes on where the last try ended: what is written is not written again.</summary>
    public static async ValueTask WriteAsync(
        this IUpstreamSession session, WriteProgress progress, int chunk, CancellationToken cancellation)
    {
        while (progress.Done < progress.Writes.Count)
        {
            var part = Part(progress.Writes, progress.Done, chunk);
            var response = await session.InvokeAsync<WriteRequest, WriteResponse>(
                new WriteRequest { NodesToWrite = part }, cancellation).ConfigureAwait(false);
            progress.Add(Matching(response.Results, part.Length));
        }
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

    /// <summary>A variable of the standard; null where it cannot be read.</summary>
    public static async ValueTask<Variant> ReadVariableAsync(
        this IUpstreamSession session, uint id, long maxAnswerBytes, CancellationToken cancellation)
    {
        var values = await session.ReadVariablesAsync([id], 1, maxAnswerBytes, cancellation).ConfigureAwait(false);
        return values[0];
    }

    /// <summary>As above, so many in each request.</summary>
    public static async ValueTask<Variant[]> ReadVariablesAsync(
        this IUpstreamSession session, uint[] ids, int chunk, long maxAnswerBytes, CancellationToken cancellation)
    {
        var reads = Array.ConvertAll(
            ids, static id => new ReadValueId { NodeId = new NodeId(id), AttributeId = (uint)AttributeId.Value });
        var values = await session.ReadAsync(reads, 0, chunk, new ValueAllowance(maxAnswerBytes), cancellation)
            .ConfigureAwait(false);
        return Array.ConvertAll(values, static one => one.Status.IsBad ? default : one.Value);
    }
}
