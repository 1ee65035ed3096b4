using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Sources;
using Gateway.AddressSpace.Values;
using Gateway.Codec.Binary;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Server.Access;
using Gateway.Server.Dispatch;
using Gateway.Server.Sessions;

namespace Gateway.Server.Attributes;

/// <summary>Reads that have to wait for their source: all nodes of one source in one call, all sources at once, the
/// answer sent when the last has come (R08).</summary>
internal sealed class SourceReads(
    ReadPlanner planner, ValueStore values, RangeWork ranges, NodeAccess access, DelayedCalls delayed,
    TimeProvider clock, ServerLimits limits)
{
    /// <summary>What can be had without waiting; false where the source has to be asked.</summary>
    public bool TryFetch(in ReadPlan plan, double maxAge, out DataValue value)
    {
        switch (plan.Kind)
        {
            case ReadKind.Refused:
                value = new DataValue(plan.Status);
                return true;
            case ReadKind.Attribute:
                value = new DataValue(plan.Attribute);
                return true;
            case ReadKind.Store:
                // Known to be so now: Shape gives it the time.
                value = ApplyRange(plan.Range, values.Read(plan.Node)) with { ServerTimestamp = default };
                return true;
            default:
                if (!plan.Source!.TryRead(plan.Node, maxAge, out value))
                    return false;
                value = ApplyRange(plan.Range, value);
                return true;
        }
    }

    /// <summary>Errors: Bad_ServerTooBusy where too many requests of the session wait already, Bad_ResourceUnavailable
    /// where parts of large values are more work than one request may be.</summary>
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

    private static DataValue ApplyRange(in NumericRange range, in DataValue value)
    {
        if (range.IsEmpty || value.Status.IsBad)
            return value;
        var status = range.Apply(value.Value, out var part);
        return status.IsBad ? new DataValue(status) : value with { Value = part };
    }

    private async ValueTask<ReadResponse> ReadAsync(PendingRequest pending, ReadRequest request)
    {
        var ids = request.NodesToRead!;
        var caller = pending.Caller;
        var plans = new ReadPlan[ids.Length];
        var results = new DataValue[ids.Length];
        var waiting = new Dictionary<INodeSource, List<int>>(ReferenceEqualityComparer.Instance);
        for (var i = 0; i < ids.Length; i++)
        {
            plans[i] = planner.Plan(caller, ids[i]);
            if (TryFetch(plans[i], request.MaxAge, out results[i]))
                continue;
            if (!waiting.TryGetValue(plans[i].Source!, out var indexes))
                waiting[plans[i].Source!] = indexes = [];
            indexes.Add(i);
        }

        var allowance = new ValueAllowance(limits.MaxDecodedBytesPerRequest);
        var tasks = waiting.Select(one => ReadFromAsync(
            one.Key, one.Value, plans, request.MaxAge, results, allowance, pending.CancellationToken));
        await Task.WhenAll(tasks).ConfigureAwait(false);
        Finish(pending, request, plans, results);
        return new ReadResponse { Results = results };
    }

    private static async Task ReadFromAsync(
        INodeSource source, List<int> indexes, ReadPlan[] plans, double maxAge, DataValue[] results,
        ValueAllowance allowance, CancellationToken cancellationToken)
    {
        var nodes = new NodeHandle[indexes.Count];
        var read = new DataValue[indexes.Count];
        for (var i = 0; i < nodes.Length; i++)
            nodes[i] = plans[indexes[i]].Node;
        await source.ReadAsync(nodes, maxAge, read, cancellationToken).ConfigureAwait(false);
        for (var i = 0; i < nodes.Length; i++)
            results[indexes[i]] = ApplyRange(plans[indexes[i]].Range, read[i], allowance);
    }

    /// <summary>Many ranges of one value may be many times as large as it is: what the request has no room for is
    /// Bad_ResponseTooLarge (R42).</summary>
    private static DataValue ApplyRange(in NumericRange range, in DataValue value, ValueAllowance allowance)
    {
        if (range.IsEmpty)
            return value;
        if (allowance.IsSpent)
            return new DataValue(StatusCodes.BadResponseTooLarge);
        var part = ApplyRange(range, value);
        return allowance.TryTake(part.Value) ? part : new DataValue(StatusCodes.BadResponseTooLarge);
    }

    /// <summary>Times; and after a change of user the lesser of the two permissions (R16).</summary>
    private void Finish(PendingRequest pending, ReadRequest request, ReadPlan[] plans, DataValue[] results)
    {
        var timestamps = ValueTimes.ToWire(request.TimestampsToReturn);
        var now = clock.GetUtcNow().UtcDateTime;
        var userChanged = pending.IsUserChanged;
        for (var i = 0; i < results.Length; i++)
        {
            if (userChanged && plans[i].Kind != ReadKind.Refused)
            {
                var attribute = (AttributeId)request.NodesToRead![i].AttributeId;
                var status = access.CheckRead(pending.Session.Caller, plans[i].Node, attribute);
                if (status.IsBad)
                    results[i] = new DataValue(status);
            }

            results[i] = ValueTimes.Shape(results[i], timestamps, now);
        }
    }
}
