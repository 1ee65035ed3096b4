using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Sources;
using Gateway.AddressSpace.Values;
using Gateway.Codec.Binary;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Operations.Access;

namespace Gateway.Operations.Attributes;

/// <summary>
/// Read. A protocol that writes its response in one pass plans and fetches one value at a time, and copies the encoded
/// values of the store. If a source must be asked, <see cref="ReadAsync"/> asks each source once for all of its nodes,
/// and all sources at the same time (R08). Thread-safe. Source: Part 4 §5.11.2.
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

    /// <summary>Whether the value is available without waiting.</summary>
    public static bool IsAtHand(in ReadPlan plan, double maxAge) =>
        plan.Kind != ReadKind.Source || plan.Source!.IsAtHand(plan.Node, maxAge);

    /// <summary>Fetches a value that is available without waiting; false if the source must be asked.</summary>
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
                // The stored value is current now; Shape sets its ServerTimestamp.
                value = ApplyRange(plan.Range, values.Read(plan.Node)) with { ServerTimestamp = default };
                return true;
            default:
                if (!plan.Source!.TryRead(plan.Node, maxAge, out value))
                    return false;
                value = ApplyRange(plan.Range, value);
                return true;
        }
    }

    /// <summary>A value that was available when the request came, whatever its age is now; Bad_ResourceUnavailable if
    /// its source has dropped it meanwhile.</summary>
    public DataValue FetchAtHand(in ReadPlan plan) =>
        TryFetch(plan, double.MaxValue, out var value) ? value : new DataValue(StatusCodes.BadResourceUnavailable);

    /// <summary>A value for each id, with the requested timestamps. After a change of user both users need the
    /// permission (R16). Many values, or index ranges of one, may be much larger than the request: a value above the
    /// request's memory limit becomes Bad_ResponseTooLarge (R42). No stored value is held while a source is awaited
    /// (R04).</summary>
    /// <param name="requester">The callers of the request.</param>
    /// <param name="ids">The ids of the request.</param>
    /// <param name="maxAge">In milliseconds.</param>
    /// <param name="timestamps">As requested.</param>
    /// <param name="cancellationToken">Nobody waits for the values any more.</param>
    /// <param name="hold">Counts each value that is kept, on any thread; a value that it refuses becomes
    /// Bad_ResponseTooLarge. Null: the caller counts them.</param>
    public async ValueTask<DataValue[]> ReadAsync(
        IRequester requester, ReadValueId[] ids, double maxAge, TimestampsToReturn timestamps,
        CancellationToken cancellationToken, Func<long, bool>? hold = null)
    {
        var plans = new ReadPlan[ids.Length];
        var results = new DataValue?[ids.Length];
        var waiting = Plan(requester.Caller, ids, maxAge, plans);
        var allowance = new ValueAllowance(limits.MaxAnswerBytesPerRequest, hold);
        var tasks = waiting.Select(one => ReadFromAsync(
            one.Key, one.Value, requester.Caller, plans, maxAge, results, allowance, cancellationToken));
        await Task.WhenAll(tasks).ConfigureAwait(false);
        return Finish(requester, ids, timestamps, plans, results, allowance);
    }

    private Dictionary<INodeSource, List<int>> Plan(
        Caller caller, ReadValueId[] ids, double maxAge, ReadPlan[] plans)
    {
        var waiting = new Dictionary<INodeSource, List<int>>(ReferenceEqualityComparer.Instance);
        for (var i = 0; i < ids.Length; i++)
        {
            plans[i] = planner.Plan(caller, ids[i]);
            if (IsAtHand(plans[i], maxAge))
                continue;
            if (!waiting.TryGetValue(plans[i].Source!, out var indexes))
                waiting[plans[i].Source!] = indexes = [];
            indexes.Add(i);
        }

        return waiting;
    }

    private static async Task ReadFromAsync(
        INodeSource source, List<int> indexes, Caller caller, ReadPlan[] plans, double maxAge, DataValue?[] results,
        ValueAllowance allowance, CancellationToken cancellationToken)
    {
        var nodes = new NodeHandle[indexes.Count];
        var read = new DataValue[indexes.Count];
        for (var i = 0; i < nodes.Length; i++)
            nodes[i] = plans[indexes[i]].Node;
        var reading = source is ISharedSource shared
            ? shared.ReadAsync(nodes, maxAge, read, caller.Account, cancellationToken)
            : source.ReadAsync(nodes, maxAge, read, cancellationToken);
        await reading.ConfigureAwait(false);
        for (var i = 0; i < nodes.Length; i++)
        {
            results[indexes[i]] = allowance.IsSpent
                ? new DataValue(StatusCodes.BadResponseTooLarge)
                : Charge(allowance, ApplyRange(plans[indexes[i]].Range, read[i]));
            read[i] = default;
        }
    }

    private static DataValue ApplyRange(in NumericRange range, in DataValue value)
    {
        if (range.IsEmpty || value.Status.IsBad)
            return value;
        var status = range.Apply(value.Value, out var part);
        return status.IsBad ? new DataValue(status) : value with { Value = part };
    }

    private static DataValue Charge(ValueAllowance allowance, in DataValue value) =>
        allowance.TryTake(value.Value) ? value : new DataValue(StatusCodes.BadResponseTooLarge);

    /// <param name="requester">The callers of the request.</param>
    /// <param name="ids">The ids of the request.</param>
    /// <param name="timestamps">As requested.</param>
    /// <param name="plans">A plan for each id.</param>
    /// <param name="read">The values that sources returned; null: available without waiting.</param>
    /// <param name="allowance">The memory that the request has left.</param>
    private DataValue[] Finish(
        IRequester requester, ReadValueId[] ids, TimestampsToReturn timestamps, ReadPlan[] plans, DataValue?[] read,
        ValueAllowance allowance)
    {
        var results = new DataValue[ids.Length];
        var times = ValueTimes.ToWire(timestamps);
        var now = clock.GetUtcNow().UtcDateTime;
        var userChanged = requester.IsUserChanged;
        for (var i = 0; i < results.Length; i++)
        {
            var status = userChanged && plans[i].Kind != ReadKind.Refused
                ? access.CheckRead(requester.PresentCaller, plans[i].Node, (AttributeId)ids[i].AttributeId)
                : StatusCode.Good;
            if (status.IsBad)
                results[i] = new DataValue(status);
            else if (read[i] is { } late)
                results[i] = late;
            else
                results[i] = allowance.IsSpent
                    ? new DataValue(StatusCodes.BadResponseTooLarge)
                    : Charge(allowance, FetchAtHand(plans[i]));
            results[i] = ValueTimes.Shape(results[i], times, now);
        }

        return results;
    }
}
