using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Operations.Attributes;
using Gateway.Server.Dispatch;
using Gateway.Server.Sessions;

namespace Gateway.Server.Services;

/// <summary>Reads that have to wait for their source: decoded again, whole, and answered when the last source has
/// answered.</summary>
internal sealed class DelayedReads(NodeReader reads, RangeWork ranges, DelayedCalls delayed, ReadAudit audit)
{
    /// <summary>Errors: Bad_ServerTooBusy if too many requests of the session wait already; Bad_ResourceUnavailable if
    /// index ranges of large values need more work than one request may do.</summary>
    public StatusCode Begin(ref ServiceCall call)
    {
        if (!call.TryDecode<ReadRequest>(out var request))
            return call.Whole.Status;
        foreach (var id in request.NodesToRead!)
        {
            if (!string.IsNullOrEmpty(id.IndexRange) && !ranges.MayGoOn(ref call, id.NodeId, out var isSpent))
                return isSpent ? StatusCodes.BadResourceUnavailable : call.Defer();
        }

        var status = delayed.TryBegin(ref call, out var pending);
        if (status.IsBad)
            return status;
        _ = delayed.RunAsync(pending, ReadAsync(pending, request));
        return StatusCode.Good;
    }

    private async ValueTask<ReadResponse> ReadAsync(PendingRequest pending, ReadRequest request)
    {
        var results = await reads
            .ReadAsync(
                pending, request.NodesToRead!, request.MaxAge, request.TimestampsToReturn, pending.CancellationToken,
                delayed.HoldFor(pending))
            .ConfigureAwait(false);
        audit.Tell(pending, request.NodesToRead!, results);
        return new ReadResponse { Results = results };
    }
}
