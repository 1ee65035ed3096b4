using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Types;
using Gateway.Events.Delivery;
using Gateway.Events.Model;

namespace Gateway.Events.Conditions;

/// <summary>
/// The conditions that the gateway knows, with their state and their branches. A change gets an EventId and is told at
/// once, in the order of the changes; the event is built only where an item watches. A refresh walks what is retained
/// in slices (<see cref="TryReadRetained"/>). Bounded. Threads: any. Lock order: shard → table →
/// <see cref="EventHub"/>. Source: Part 9 §4.4, §4.5.
/// </summary>
public sealed class ConditionTable(EventHub hub, NodeTable nodes, ConditionLimits limits, TimeProvider time)
{
    private readonly Lock _lock = new();
    private readonly Dictionary<NodeId, Condition> _conditions = [];
    private readonly LinkedList<Condition> _order = new();
    private readonly List<(Condition Condition, ConditionBranch Branch)?> _retained = [];
    private readonly Stack<int> _free = new();
    private readonly Queue<(ConditionDefinition Definition, ConditionState State)> _history = new();
    private readonly long _ticksPerRebuild = time.TimestampFrequency;
    private int _shelved;
    private long _refused;
    private long _changes;
    private long _built;
    private HashSet<NodeId>? _restored;

    /// <summary>Those of upstreams.</summary>
    public MirroredConditions Mirrored { get; } = new(hub, nodes, limits, time);

    /// <summary>Alarms that found no room.</summary>
    public long Refused => Interlocked.Read(ref _refused);

    public int Count
    {
        get
        {
            lock (_lock)
                return _conditions.Count;
        }
    }

    public ConditionLimits Limits => limits;

    /// <summary>The source of an alarm says how it is; the first time, that there is such an alarm. False: there is no
    /// room for it.</summary>
    /// <param name="definition">Names it.</param>
    /// <param name="isActive">The state of the source.</param>
    /// <param name="severity">1 to 1000.</param>
    /// <param name="message">In English.</param>
    public bool Report(ConditionDefinition definition, bool isActive, ushort severity, string message)
    {
        lock (_lock)
        {
            if (!_conditions.TryGetValue(definition.ConditionId, out var condition))
            {
                if (!MakeRoomUnderLock())
                {
                    Interlocked.Increment(ref _refused);
                    return false;
                }

                condition = new Condition(definition, limits, time);
                _conditions.Add(definition.ConditionId, condition);
                _order.AddLast(condition);
            }

            _restored?.Remove(definition.ConditionId);
            condition.Definition = definition;
            condition.Report(isActive, severity, message, Now);
            TellUnderLock(condition);
            return true;
        }
    }

    /// <summary>Notifications made, each for all who watch.</summary>
    public long Built => Interlocked.Read(ref _built);

    /// <summary>Rises with each notification: then another <see cref="ReadKept"/> may say something else.</summary>
    public long Changes => Interlocked.Read(ref _changes);

    /// <summary>For another process: all conditions but those that are as if they were new.</summary>
    public List<KeptCondition> ReadKept()
    {
        var kept = new List<KeptCondition>();
        lock (_lock)
        {
            foreach (var condition in _order)
            {
                if (ConditionKeeping.Keep(condition, time) is { } one)
                    kept.Add(one);
            }
        }

        return kept;
    }

    /// <summary>Before the first report: the conditions of the process before are as they were, with their EventIds and
    /// without a notification. Those that are there already stay.</summary>
    public void Restore(IEnumerable<KeptCondition> kept)
    {
        lock (_lock)
        {
            foreach (var one in kept)
            {
                if (_conditions.Count >= limits.MaxConditions || _conditions.ContainsKey(one.ConditionId) ||
                    ConditionKeeping.Restore(one, limits, time) is not { } condition)
                    continue;
                _conditions.Add(one.ConditionId, condition);
                _order.AddLast(condition);
                (_restored ??= []).Add(one.ConditionId);
                PlaceUnderLock(condition, condition.Current, condition.Current.State.Retain);
                foreach (var branch in condition.Branches)
                    PlaceUnderLock(condition, branch, condition.Current.State.Enabled.Id);
                CountShelvedUnderLock(condition);
            }
        }
    }

    /// <summary>Their sources have had the time to say how they are: a restored condition that none has reported is
    /// over.</summary>
    /// <param name="message">In English.</param>
    public void EndRestoration(string message)
    {
        lock (_lock)
        {
            foreach (var id in _restored ?? [])
            {
                if (!_conditions.TryGetValue(id, out var condition))
                    continue;
                condition.Report(isActive: false, condition.Current.State.Severity, message, Now);
                TellUnderLock(condition);
            }

            _restored = null;
        }
    }

    /// <summary>Null: there is no such condition.</summary>
    public ConditionDefinition? Find(NodeId conditionId)
    {
        lock (_lock)
            return _conditions.GetValueOrDefault(conditionId)?.Definition;
    }

    /// <summary>Errors: Bad_NodeIdUnknown; the codes of Part 9 §5.13; Bad_InvalidArgument for a comment that is too
    /// long.</summary>
    public StatusCode Call(NodeId conditionId, in ConditionCall call)
    {
        lock (_lock)
        {
            if (!_conditions.TryGetValue(conditionId, out var condition))
                return StatusCodes.BadNodeIdUnknown;
            var status = condition.Call(call, Now);
            TellUnderLock(condition);
            return status;
        }
    }

    /// <summary>Ends the shelvings whose time is over; called about once a second.</summary>
    public void Expire()
    {
        if (Volatile.Read(ref _shelved) == 0)
            return;
        var timestamp = time.GetTimestamp();
        lock (_lock)
        {
            foreach (var condition in _conditions.Values)
            {
                if (condition.TryExpire(timestamp, Now))
                    TellUnderLock(condition);
            }
        }
    }

    /// <summary>The next notification that is retained, as it is now. False: that was all.</summary>
    /// <param name="next">0, or where the last call has left it.</param>
    /// <param name="record">Null: a place without one.</param>
    /// <param name="place">Its own, of <see cref="EventHub.Places"/>.</param>
    public bool TryReadRetained(ref int next, out EventRecord? record, out int place)
    {
        lock (_lock)
        {
            (record, place) = (null, -1);
            if (next >= _retained.Count)
                return false;
            if (_retained[next++] is { } found &&
                (record = RecordUnderLock(found.Condition, found.Branch)) is not null)
                place = found.Branch.Place;
            return true;
        }
    }

    /// <summary>All that are retained, the branches among them; or all.</summary>
    public List<ConditionReport> Read(bool retainedOnly) =>
        Snapshot(retainedOnly).ConvertAll(static one => ConditionReport.Of(one.Definition, one.State));

    /// <summary>The most severe of those that are retained, the branches among them.</summary>
    /// <param name="most">So many at most.</param>
    /// <param name="isVisible">Those of the others are passed over.</param>
    /// <param name="total">Of all that are visible.</param>
    public List<ConditionReport> ReadRetained(int most, Func<ConditionDefinition, bool> isVisible, out int total)
    {
        var all = Snapshot(retainedOnly: true);
        all.RemoveAll(one => !isVisible(one.Definition));
        total = all.Count;
        return
        [
            .. all.OrderByDescending(static one => one.State.Severity).Take(most)
                .Select(static one => ConditionReport.Of(one.Definition, one.State)),
        ];
    }

    /// <summary>As the last notifications told it, the newest first.</summary>
    /// <param name="most">So many at most.</param>
    /// <param name="isVisible">Those of the others are passed over; null: all are visible.</param>
    public List<ConditionReport> ReadHistory(
        int most = int.MaxValue, Func<ConditionDefinition, bool>? isVisible = null)
    {
        (ConditionDefinition Definition, ConditionState State)[] all;
        lock (_lock)
            all = [.. _history];
        return
        [
            .. all.Reverse().Where(one => isVisible is null || isVisible(one.Definition)).Take(most)
                .Select(static one => ConditionReport.Of(one.Definition, one.State)),
        ];
    }

    /// <summary>Alarms that are active, by ranges of severity: 1 to 200, 201 to 400 and so on.</summary>
    public int CountActive(int lowest, int highest)
    {
        var count = 0;
        lock (_lock)
        {
            foreach (var (_, condition) in _conditions)
            {
                var state = condition.Current.State;
                if (state is { Active.Id: true, Enabled.Id: true } && state.Severity >= lowest &&
                    state.Severity <= highest)
                    count++;
            }
        }

        return count;
    }

    /// <summary>States never change, so that all that is made of them is made outside the lock.</summary>
    private List<(ConditionDefinition Definition, ConditionState State)> Snapshot(bool retainedOnly)
    {
        var all = new List<(ConditionDefinition, ConditionState)>();
        lock (_lock)
        {
            foreach (var condition in _order)
            {
                foreach (var branch in condition.Branches)
                {
                    if (!retainedOnly || branch.Slot >= 0)
                        all.Add((condition.Definition, branch.State));
                }

                if (!retainedOnly || condition.Current.State.Retain)
                    all.Add((condition.Definition, condition.Current.State));
            }
        }

        return all;
    }

    private DateTime Now => time.GetUtcNow().UtcDateTime;

    /// <summary>A condition that is as if it were new is the one to go, the oldest first.</summary>
    private bool MakeRoomUnderLock()
    {
        if (_conditions.Count < limits.MaxConditions)
            return true;
        for (var one = _order.First; one is not null; one = one.Next)
        {
            var state = one.Value.Current.State;
            if (state.Retain || !state.Enabled.Id || state.IsSuppressedOrShelved)
                continue;
            _conditions.Remove(one.Value.Definition.ConditionId);
            _order.Remove(one);
            return true;
        }

        return false;
    }

    private void TellUnderLock(Condition condition)
    {
        foreach (var branch in condition.Changed)
            TellUnderLock(condition, branch);
        condition.Changed.Clear();
        // The branches of a condition that was disabled.
        foreach (var branch in condition.Branches)
            PlaceUnderLock(condition, branch, condition.Current.State.Enabled.Id);
        CountShelvedUnderLock(condition);
    }

    private void CountShelvedUnderLock(Condition condition)
    {
        if (condition.IsCountedAsShelved == condition.Current.State.Shelving.IsShelved)
            return;
        condition.IsCountedAsShelved = !condition.IsCountedAsShelved;
        Volatile.Write(ref _shelved, _shelved + (condition.IsCountedAsShelved ? 1 : -1));
    }

    private void TellUnderLock(Condition condition, ConditionBranch branch)
    {
        var now = Now;
        Interlocked.Increment(ref _changes);
        var eventId = hub.Maker.NextEventId();
        branch.Add(eventId);
        branch.State = branch.State with { EventId = eventId, Time = now };
        var before = branch.Record;
        branch.Record = null;
        if (_history.Count >= limits.MaxConditionHistory)
            _history.Dequeue();
        _history.Enqueue((condition.Definition, branch.State));
        PlaceUnderLock(condition, branch, branch.State.Retain);
        if (hub.IsWatched && RecordUnderLock(condition, branch) is { } record)
            hub.Raise(new ConditionNotice(record, before, branch.Place));
        else if (hub.IsWatched && before is { IsRetained: true })
            // Its source has gone behind rules: for those who have it, it ends with what they have seen.
            hub.Raise(new ConditionNotice(before.Ended(eventId, now), before, branch.Place) { EndsOnly = true });
        if (branch.State.Retain)
            return;
        hub.Places.Return(branch.Place);
        branch.Place = -1;
    }

    private void PlaceUnderLock(Condition condition, ConditionBranch branch, bool isRetained)
    {
        if (isRetained == branch.Slot >= 0)
            return;
        if (!isRetained)
        {
            _retained[branch.Slot] = null;
            _free.Push(branch.Slot);
            branch.Slot = -1;
            return;
        }

        if (!_free.TryPop(out var slot))
        {
            slot = _retained.Count;
            _retained.Add(null);
        }

        _retained[slot] = (condition, branch);
        branch.Slot = slot;
        if (branch.Place < 0)
            branch.Place = hub.Places.Take();
    }

    /// <summary>Built once for all; of a shelved alarm anew after a second, because its time runs. Null: nobody may
    /// have it. One look at the source decides both: it may go meanwhile (R36).</summary>
    private EventRecord? RecordUnderLock(Condition condition, ConditionBranch branch)
    {
        var timestamp = time.GetTimestamp();
        var (definition, state) = (condition.Definition, branch.State);
        if (!ConditionSource.TryFind(nodes, definition.Source, out var source))
            return null;
        if (branch.Record is { } known &&
            (!state.Shelving.IsShelved || timestamp - branch.BuiltAt < _ticksPerRebuild))
            return known;
        var left = state.Shelving.IsShelved
            ? Math.Max(0, time.GetElapsedTime(timestamp, state.Shelving.Until).TotalMilliseconds)
            : 0;
        var moment = new ConditionMoment(
            definition, state, source.IsNone ? NodeId.Null : nodes.GetNodeId(source), left,
            limits.MaxConditionShelving.TotalMilliseconds);
        branch.BuiltAt = timestamp;
        Interlocked.Increment(ref _built);
        return branch.Record = new EventRecord(definition.Layout, ConditionLayouts.Fill(moment), source);
    }
}
