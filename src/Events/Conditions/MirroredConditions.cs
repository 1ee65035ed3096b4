using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Types;
using Gateway.Events.Delivery;
using Gateway.Events.Model;

namespace Gateway.Events.Conditions;

/// <summary>
/// The conditions of all upstreams, as their last notifications told them: refreshes, methods, REST and the console are
/// served from them. Each upstream keeps its own by a <see cref="ConditionMirror"/>. A notification is kept and raised
/// under one lock, so that a refresh never brings what is older than an event that came before. Threads: any. Lock
/// order: shard → this → <see cref="EventHub"/>. Source: Part 9 §4.5.
/// </summary>
public sealed class MirroredConditions(EventHub hub, NodeTable nodes, ConditionLimits limits, TimeProvider time)
{
    private readonly List<MirroredCondition?> _retained = [];
    private readonly Stack<int> _free = new();
    private readonly Queue<EventRecord> _history = new();
    private readonly List<ConditionMirror> _mirrors = [];

    internal Lock Lock { get; } = new();

    /// <summary>Where their events go.</summary>
    public EventHub Hub => hub;

    internal NodeTable Nodes => nodes;

    internal TimeProvider Time => time;

    /// <summary>For one upstream, until it is disposed of.</summary>
    /// <param name="root">Its object.</param>
    /// <param name="upstream">Takes the methods of its conditions.</param>
    /// <param name="mirrorLimits">On what it may keep here.</param>
    public ConditionMirror Open(NodeId root, IConditionForwarder upstream, MirrorLimits mirrorLimits)
    {
        var mirror = new ConditionMirror(this, root, upstream, mirrorLimits);
        lock (Lock)
            _mirrors.Add(mirror);
        return mirror;
    }

    /// <summary>As <see cref="ConditionTable.TryReadRetained"/>.</summary>
    public bool TryReadRetained(ref int next, out EventRecord? record, out int place)
    {
        lock (Lock)
        {
            (record, place) = (null, -1);
            if (next >= _retained.Count)
                return false;
            if (_retained[next++] is { } found)
                (record, place) = (PresentUnderLock(found), found.Place);
            return true;
        }
    }

    /// <summary>Where methods of a condition go; null: no upstream has told of it.</summary>
    /// <param name="conditionId">The gateway's id.</param>
    /// <param name="eventId">Of the notification that is answered: two upstreams may have conditions with one id.
    /// </param>
    public MirroredTarget? Find(NodeId conditionId, ReadOnlySpan<byte> eventId)
    {
        lock (Lock)
        {
            MirroredTarget? first = null;
            foreach (var mirror in _mirrors)
            {
                if (mirror.FindUnderLock(conditionId, eventId, out var isOfEvent) is not { } found)
                    continue;
                var target = new MirroredTarget(mirror, GuardUnderLock(found.Record));
                if (isOfEvent)
                    return target;
                first ??= target;
            }

            return first;
        }
    }

    /// <summary>All that are retained, or all.</summary>
    public List<ConditionReport> Read(bool retainedOnly) =>
        Snapshot(retainedOnly).ConvertAll(record => MirroredReport.Of(record, nodes));

    /// <summary>As <see cref="ConditionTable.ReadRetained"/>.</summary>
    /// <param name="most">So many at most.</param>
    /// <param name="isVisible">By the node that decides who may see it.</param>
    /// <param name="total">Of all that are visible.</param>
    public List<ConditionReport> ReadRetained(int most, Func<NodeHandle, bool> isVisible, out int total)
    {
        var all = Snapshot(retainedOnly: true);
        all.RemoveAll(one => !isVisible(one.Source));
        total = all.Count;
        return
        [
            .. all.OrderByDescending(static one => one.Values[MirroredFields.Severity].AsInt64()).Take(most)
                .Select(one => MirroredReport.Of(one, nodes)),
        ];
    }

    /// <summary>As <see cref="ConditionTable.ReadHistory"/>.</summary>
    /// <param name="most">So many at most.</param>
    /// <param name="isVisible">By the node that decides who may see it; null: all are visible.</param>
    public List<ConditionReport> ReadHistory(int most = int.MaxValue, Func<NodeHandle, bool>? isVisible = null)
    {
        EventRecord[] records;
        lock (Lock)
            records = [.. _history];
        List<ConditionReport> reports = [];
        for (var i = records.Length - 1; i >= 0 && reports.Count < most; i--)
        {
            if (MirroredSource.TryFind(
                nodes, IdIn(records[i], MirroredFields.SourceNode), records[i].Root, out var source) &&
                isVisible?.Invoke(source) != false)
                reports.Add(MirroredReport.Of(records[i].WithSource(source), nodes));
        }

        return reports;
    }

    /// <summary>As <see cref="ConditionTable.CountActive"/>.</summary>
    public int CountActive(int lowest, int highest)
    {
        var count = 0;
        lock (Lock)
        {
            foreach (var one in _retained)
            {
                if (one is { BranchId.IsNull: true, Record.Values: var values } &&
                    values[MirroredFields.Active].AsBoolean() &&
                    values[MirroredFields.Severity].AsInt64() is var severity && severity >= lowest &&
                    severity <= highest)
                    count++;
            }
        }

        return count;
    }

    /// <summary>Records never change, so that all that is made of them is made outside the lock.</summary>
    private List<EventRecord> Snapshot(bool retainedOnly)
    {
        List<EventRecord> records = [];
        lock (Lock)
        {
            foreach (var mirror in _mirrors)
            {
                foreach (var one in mirror.AllUnderLock)
                {
                    if ((!retainedOnly || one.Slot >= 0) && PresentUnderLock(one) is { } record)
                        records.Add(record);
                }
            }
        }

        return records;
    }

    internal static NodeId IdIn(EventRecord record, int field) => record.Values[field].AsNodeId();

    internal void Remove(ConditionMirror mirror)
    {
        lock (Lock)
            _mirrors.Remove(mirror);
    }

    /// <summary>The notification is the last one of the condition now. Its source has perhaps gone or come since the
    /// upstream told of it: the nodes of now decide who gets it (R36). Where nobody may have it any more, the condition
    /// ends for those who have seen it, by what they have seen.</summary>
    /// <param name="record">The notification.</param>
    /// <param name="before">That before it; null: there is none.</param>
    /// <param name="one">Null: the condition is not known.</param>
    internal void TellUnderLock(EventRecord record, EventRecord? before, MirroredCondition? one)
    {
        if (_history.Count >= limits.MaxConditionHistory)
            _history.Dequeue();
        _history.Enqueue(record);
        var place = one?.Place ?? -1;
        var isKept = one is { Slot: >= 0 };
        var source = GuardUnderLock(record);
        if (source.IsNone)
        {
            if (hub.IsWatched && one is { IsHidden: false } && before is { IsRetained: true })
                hub.Raise(new ConditionNotice(before.Ended(hub.Maker.NextEventId(), Now), before, place)
                {
                    EndsOnly = true,
                });
        }
        else
        {
            var shown = source == record.Source ? record : record.WithSource(source);
            if (one is not null && ReferenceEquals(one.Record, record))
                one.Record = shown;
            if (hub.IsWatched)
                hub.Raise(new ConditionNotice(shown, before, place) { IsForgotten = !isKept });
        }

        if (one is null)
            return;
        one.IsHidden = source.IsNone;
        if (isKept)
            return;
        hub.Places.Return(place);
        one.Place = -1;
    }

    private DateTime Now => time.GetUtcNow().UtcDateTime;

    internal void PlaceUnderLock(MirroredCondition one, bool isRetained)
    {
        if (isRetained == one.Slot >= 0)
            return;
        if (!isRetained)
        {
            _retained[one.Slot] = null;
            _free.Push(one.Slot);
            one.Slot = -1;
            return;
        }

        if (!_free.TryPop(out var slot))
        {
            slot = _retained.Count;
            _retained.Add(null);
        }

        _retained[slot] = one;
        one.Slot = slot;
        if (one.Place < 0)
            one.Place = hub.Places.Take();
    }

    /// <summary>By the nodes of now: those of an upstream come and go. Null: nobody may see it.</summary>
    private EventRecord? PresentUnderLock(MirroredCondition one)
    {
        var source = GuardUnderLock(one.Record);
        if (source.IsNone)
            return null;
        one.IsHidden = false;
        if (source != one.Record.Source)
            one.Record = one.Record.WithSource(source);
        return one.Record;
    }

    private NodeHandle GuardUnderLock(EventRecord record) => MirroredSource.TryFind(
        nodes, IdIn(record, MirroredFields.SourceNode), record.Root, out var found) ? found : default;
}
