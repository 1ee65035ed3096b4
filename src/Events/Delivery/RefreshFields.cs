using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Values;
using Gateway.Codec.Binary;
using Gateway.Codec.Types;
using Gateway.Events.Model;

namespace Gateway.Events.Delivery;

/// <summary>The fields of retained notifications for refreshes: encoded once for all refreshes of one filter that are
/// under way together, within a bound of memory. It has a walk and room of its own, so that neither an event that is
/// raised nor an item that comes waits for a refresh. Threads: any; its lock is taken inside a shard's and around the
/// hub's.</summary>
internal sealed class RefreshFields(NodeTable nodes, FieldEncoder encoder, FilterBudget budget) : IDisposable
{
    /// <summary>Of one notification: a millisecond. A shard's lock is held meanwhile.</summary>
    private const int MostSteps = 200_000;

    /// <summary>Of encoded notifications that refreshes have in common. Beyond it all go, and those of now come: one
    /// client that takes nothing would hold those of before for as long as it has its refresh.</summary>
    private const long MaxRetainedBytes = 32 * 1024 * 1024;

    private readonly Lock _lock = new();
    private readonly NotifierWalk _walk = new(nodes);

    /// <summary>With notifications in common.</summary>
    private readonly HashSet<FilterEntry> _sharing = [];
    private Variant[] _results = [];
    private long _retainedBytes;
    private bool _isDisposed;

    public void Begin(FilterEntry entry)
    {
        lock (_lock)
            entry.Refreshes++;
    }

    public void End(FilterEntry entry)
    {
        lock (_lock)
        {
            if (--entry.Refreshes == 0)
                DropUnderLock(entry);
        }
    }

    /// <summary>See <see cref="EventHub.EncodeRetained"/>.</summary>
    public RetainedStep Encode(
        FilterEntry entry, NodeHandle notifier, EventRecord record, out SharedValue? fields, ref int steps)
    {
        lock (_lock)
        {
            fields = null;
            if (_isDisposed)
                return RetainedStep.Passed;
            _walk.Begin(record);
            _walk.WantsViews = _walk.IsView(notifier);
            if (!_walk.Reaches(notifier))
                return RetainedStep.Passed;
            if (entry.Retained.TryGetValue(record, out var known))
            {
                fields = known.Fields;
            }
            else
            {
                var step = LookUnderLock(entry, record, out fields, ref steps);
                if (step is RetainedStep.Rests or RetainedStep.TooCostly)
                    return step;
                var bytes = BytesOf(record, fields);
                if (_retainedBytes + bytes > MaxRetainedBytes)
                    DropAllUnderLock();
                _retainedBytes += bytes;
                entry.Retained.Add(record, (fields, bytes));
                _sharing.Add(entry);
            }

            fields?.AddReference();
            return fields is null ? RetainedStep.Passed : RetainedStep.Brought;
        }
    }

    public void Dispose()
    {
        lock (_lock)
            _isDisposed = true;
    }

    /// <summary>The hub ends: nothing is under way any more.</summary>
    public void Drop(FilterEntry entry)
    {
        lock (_lock)
            DropUnderLock(entry);
    }

    /// <summary>The event itself may be kept for this alone: another one has taken its place meanwhile.</summary>
    private static long BytesOf(EventRecord record, SharedValue? fields)
    {
        const long BytesOfEntry = 64;
        const long BytesOfField = 32;
        var bytes = BytesOfEntry + (BytesOfField * record.Values.Length);
        if (fields is not null)
            bytes += Math.Max(fields.EncodedVariant.Length, fields.LargeBytes);
        foreach (var value in record.Values)
            bytes = Math.Min(bytes + ValueSize.Of(value), MaxRetainedBytes);
        return bytes;
    }

    private RetainedStep LookUnderLock(
        FilterEntry entry, EventRecord record, out SharedValue? fields, ref int steps)
    {
        fields = null;
        budget.Begin();
        if (entry.RestsIn == budget.Second)
            return RetainedStep.Rests;
        if (_results.Length < entry.Filter.ElementCount)
            _results = new Variant[entry.Filter.ElementCount];
        var client = entry.Holder.OnRefreshes;
        var full = FilterBudget.FreeSteps + Math.Min(MostSteps, budget.Reserve);
        var most = Math.Min(full, budget.StepsFor(client));
        var left = most;
        if (entry.Filter.Passes(record, _results, ref left))
            fields = encoder.TryEncode(entry.Filter, record, ref left);
        budget.Charge(client, most, left);
        steps -= most - Math.Max(left, ~left);
        if (left >= 0)
            return fields is null ? RetainedStep.Passed : RetainedStep.Brought;
        if (most == full)
            return RetainedStep.TooCostly;
        entry.RestsIn = budget.Second;
        return RetainedStep.Rests;
    }

    private void DropAllUnderLock()
    {
        foreach (var entry in _sharing.ToArray())
            DropUnderLock(entry);
    }

    private void DropUnderLock(FilterEntry entry)
    {
        foreach (var (fields, bytes) in entry.Retained.Values)
        {
            _retainedBytes -= bytes;
            fields?.Release();
        }

        entry.ForgetRetained();
        _sharing.Remove(entry);
    }
}
