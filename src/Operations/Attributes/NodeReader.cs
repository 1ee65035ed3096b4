using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Sources;
using Gateway.AddressSpace.Values;
using Gateway.Codec.Binary;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Operations.Access;

namespace Gateway.Operations.Attributes;

/// <summary>
/// Read. A door that writes its answer in one pass plans and fetches a value at a time, and splices what the store has;
/// where a source has to be asked, <see cref="ReadAsync"/> asks each source once for all of its nodes, all sources at
/// once (R08). Thread-safe. Source: Part 4 §5.11.2.
/// </summary>
public sealed class NodeReader(
    ReadPlanner planner, ValueStore values, NodeAccess access, TimeProvider clock, OperationLimits limits)
{
    /// <summary>Errors: Bad_MaxAgeInvalid, Bad_TimestampsToReturnInvalid.</summary>
    public static StatusCode Check(double maxAge, TimestampsToReturn timestamps)
    {
        if (!(maxAge >= 0))
            return StatusCodes.BadMaxAgeInvalid;
        return ValueTimes.IsValid(timestamps) ? StatusCodes.Good : StatusCodes.BadTimestampsToReturnInvalid;
    }

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

    /// <summary>A value for each id, with the times asked for. After a change of user the lesser of the two permissions
    /// holds (R16).</summary>
    public async ValueTask<DataValue[]> ReadAsync(
        IRequester requester, ReadValueId[] ids, double maxAge, TimestampsToReturn timestamps,
        CancellationToken cancellationToken)
    {
        var plans = new ReadPlan[ids.Length];
        var results = new DataValue[ids.Length];
        var waiting = Plan(requester.Caller, ids, maxAge, plans, results);
        var allowance = new ValueAllowance(limits.MaxAnswerBytesPerRequest);
        var tasks = waiting.Select(one => ReadFromAsync(
            one.Key, one.Value, plans, maxAge, results, allowance, cancellationToken));
        await Task.WhenAll(tasks).ConfigureAwait(false);
        Finish(requester, ids, timestamps, plans, results);
        return results;
    }

    private Dictionary<INodeSource, List<int>> Plan(
        Caller caller, ReadValueId[] ids, double maxAge, ReadPlan[] plans, DataValue[] results)
    {
        var waiting = new Dictionary<INodeSource, List<int>>(ReferenceEqualityComparer.Instance);
        for (var i = 0; i < ids.Length; i++)
        {
            plans[i] = planner.Plan(caller, ids[i]);
            if (TryFetch(plans[i], maxAge, out results[i]))
                continue;
            if (!waiting.TryGetValue(plans[i].Source!, out var indexes))
                waiting[plans[i].Source!] = indexes = [];
            indexes.Add(i);
        }

        return waiting;
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

    private static DataValue ApplyRange(in NumericRange range, in DataValue value)
    {
        if (range.IsEmpty || value.Status.IsBad)
            return value;
        var status = range.Apply(value.Value, out var part);
        return status.IsBad ? new DataValue(status) : value with { Value = part };
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

    private void Finish(
        IRequester requester, ReadValueId[] ids, TimestampsToReturn timestamps, ReadPlan[] plans, DataValue[] results)
    {
        var times = ValueTimes.ToWire(timestamps);
        var now = clock.GetUtcNow().UtcDateTime;
        var userChanged = requester.IsUserChanged;
        for (var i = 0; i < results.Length; i++)
        {
            if (userChanged && plans[i].Kind != ReadKind.Refused)
            {
                var attribute = (AttributeId)ids[i].AttributeId;
                var status = access.CheckRead(requester.PresentCaller, plans[i].Node, attribute);
                if (status.IsBad)
                    results[i] = new DataValue(status);
            }

            results[i] = ValueTimes.Shape(results[i], times, now);
        }
    }
}
