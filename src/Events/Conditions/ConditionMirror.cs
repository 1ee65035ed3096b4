using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Events.Model;

namespace Gateway.Events.Conditions;

/// <summary>
/// The conditions of one upstream, by ConditionId and BranchId. The driver brings each event of it, in order; a refresh
/// of the upstream marks what still is, and what is gone is told then. Bounded: a condition of no interest makes room,
/// and one that finds none is an event like others. Threads: any; the lock is that of <see cref="MirroredConditions"/>.
/// Source: Part 9 §4.5, §5.5.2.
/// </summary>
public sealed class ConditionMirror : IDisposable
{
    private const string GoneMessage = "No longer there when the upstream came back.";

    /// <summary>Conditions that are ended under one hold of the lock: a shard with a refresh waits for it.</summary>
    private const int EndSlice = 64;

    private readonly MirroredConditions _all;
    private readonly NodeId _root;
    private readonly IConditionForwarder _upstream;
    private readonly MirrorLimits _limits;
    private readonly Dictionary<(NodeId Condition, NodeId Branch), MirroredCondition> _known = [];
    private readonly Dictionary<NodeId, List<MirroredCondition>> _byId = [];
    private readonly LinkedList<MirroredCondition> _idle = new();
    private readonly ConditionAnswers _answers;
    private Queue<MirroredCondition>? _telling;
    private uint _tellingOf;
    private int _generation;
    private long _bytes;
    private long _refused;
    private long _repeated;

    internal ConditionMirror(MirroredConditions all, NodeId root, IConditionForwarder upstream, MirrorLimits limits)
    {
        (_all, _root, _upstream, _limits) = (all, root, upstream, limits);
        _answers = new ConditionAnswers(all.Time);
    }

    /// <summary>Its object.</summary>
    public NodeHandle Root => _all.Nodes.Find(_root);

    /// <summary>Conditions and branches that are known.</summary>
    public int Count
    {
        get
        {
            lock (_all.Lock)
                return _known.Count;
        }
    }

    /// <summary>Notifications of conditions that found no room.</summary>
    public long Refused => Interlocked.Read(ref _refused);

    /// <summary>Notifications that told nothing new, such as those of a refresh.</summary>
    public long Repeated => Interlocked.Read(ref _repeated);

    /// <summary>Conditions looked at by <see cref="TellAway"/> and <see cref="TellUncertain"/>.</summary>
    internal long Looked { get; private set; }

    /// <summary>The most that were ended under one hold of the lock.</summary>
    internal int MostAtOnce { get; private set; }

    /// <summary>Conditions that a telling has still to look at.</summary>
    internal int Untold => _telling?.Count ?? 0;

    internal IEnumerable<MirroredCondition> AllUnderLock => _known.Values;

    private DateTime Now => _all.Time.GetUtcNow().UtcDateTime;

    /// <summary>An event of the upstream: those who watch get it.</summary>
    /// <param name="record">Its first fields are <see cref="MirroredFields"/>.</param>
    /// <param name="bytes">Estimated.</param>
    public void Take(EventRecord record, long bytes)
    {
        if (!record.Layout.IsCondition)
        {
            if (_all.Hub.IsWatched)
                _all.Hub.Raise(record);
            return;
        }

        lock (_all.Lock)
            TakeUnderLock(record, bytes);
    }

    /// <summary>A condition that the upstream does not tell of until its end is gone.</summary>
    public void BeginRefresh()
    {
        lock (_all.Lock)
        {
            _generation++;
            _telling = null;
        }
    }

    /// <summary>The upstream has told all that is retained: the rest is over, and those who watch hear it, a few at a
    /// time so that no refresh of a client waits for all of them.</summary>
    /// <returns>How many were gone.</returns>
    public int EndRefresh() => End(static (one, generation) => one.Slot >= 0 && one.Seen != generation);

    /// <summary>The upstream is away: each retained condition is told once more, with that quality, a few at a time so
    /// that nobody waits for all of them. EventIds stay: they can be answered once it is back.</summary>
    /// <returns>False: that was the rest.</returns>
    public bool TellAway(int most) =>
        Tell(most, StatusCodes.BadNoCommunication, static (_, _) => true);

    /// <summary>The upstream is back and cannot say what still is: each retained condition that it has not told of
    /// since <see cref="BeginRefresh"/> is told once more, with that quality, as by <see cref="TellAway"/>.</summary>
    /// <returns>False: that was the rest.</returns>
    public bool TellUncertain(int most) =>
        Tell(most, StatusCodes.Uncertain, static (one, generation) => one.Seen != generation);

    private bool Tell(int most, uint quality, Func<MirroredCondition, int, bool> isWanted)
    {
        lock (_all.Lock)
        {
            // Each is looked at once, however many slices it takes.
            if (_telling is null || _tellingOf != quality)
                (_telling, _tellingOf) = (new Queue<MirroredCondition>(_known.Values), quality);
            for (; _telling.TryPeek(out var one); _telling.Dequeue())
            {
                Looked++;
                if (one.Slot < 0 || HasQuality(one.Record, quality) || !isWanted(one, _generation))
                    continue;
                if (most-- == 0)
                    return true;
                TellUnderLock(one, quality);
            }

            _telling = null;
            return false;
        }
    }

    private void TellUnderLock(MirroredCondition one, uint quality)
    {
        var before = one.Record;
        one.Record = Changed(before, values =>
        {
            values[MirroredFields.Quality] = new Variant(new StatusCode(quality));
            values[MirroredFields.QualityTime] = values[MirroredFields.ReceiveTime] = new Variant(Now);
        });
        _all.TellUnderLock(one.Record, before, one);
    }

    /// <summary>The upstream does not come back.</summary>
    public void Dispose()
    {
        End(static (one, _) => one.Slot >= 0);
        lock (_all.Lock)
        {
            foreach (var one in _known.Values.ToList())
                RemoveUnderLock(one);
            _telling = null;
        }

        _all.Remove(this);
    }

    internal MirroredCondition? FindUnderLock(NodeId conditionId, ReadOnlySpan<byte> eventId, out bool isOfEvent)
    {
        isOfEvent = false;
        if (!_byId.TryGetValue(conditionId, out var branches))
            return null;
        foreach (var one in branches)
        {
            if (!eventId.SequenceEqual(one.Record.Values[MirroredFields.EventId].AsByteString()))
                continue;
            isOfEvent = true;
            return one;
        }

        return branches.Find(static one => one.BranchId.IsNull) ?? branches[0];
    }

    internal async ValueTask<CallMethodResult> CallAsync(ForwardedCall call, CancellationToken cancellation)
    {
        object answer;
        lock (_all.Lock)
            answer = _answers.Begin(call);
        var isGood = false;
        try
        {
            var result = await _upstream.CallAsync(call, cancellation).ConfigureAwait(false);
            isGood = !result.StatusCode.IsBad;
            return result;
        }
        finally
        {
            lock (_all.Lock)
                _answers.End(answer, isGood);
        }
    }

    private void TakeUnderLock(EventRecord record, long bytes)
    {
        var key = (
            MirroredConditions.IdIn(record, MirroredFields.ConditionId),
            MirroredConditions.IdIn(record, MirroredFields.BranchId));
        var retain = record.Values[MirroredFields.Retain].AsBoolean();
        var before = default(EventRecord);
        if (_known.TryGetValue(key, out var known))
        {
            before = known.Record;
            known.Seen = _generation;
            record = WithAuthor(record, known);
            if (IsSame(record, known.Record))
            {
                Interlocked.Increment(ref _repeated);
                return;
            }

            UpdateUnderLock(known, record, bytes, retain);
        }
        else if (retain || key.Item2.IsNull)
        {
            known = new MirroredCondition(key.Item1, key.Item2) { Record = record, Seen = _generation };
            known.Record = record = WithAuthor(record, known);
            AddUnderLock(known, bytes, retain);
        }

        // One that was told is another one now.
        _telling = null;
        _all.TellUnderLock(record, before, known);
    }

    private void UpdateUnderLock(MirroredCondition known, EventRecord record, long bytes, bool retain)
    {
        if (bytes > known.Bytes && !MakeRoomUnderLock(bytes - known.Bytes, known))
        {
            Interlocked.Increment(ref _refused);
            RemoveUnderLock(known);
            return;
        }

        _bytes += bytes - known.Bytes;
        (known.Record, known.Bytes) = (record, bytes);
        // A branch that is done with is nothing any more; a condition may become active again.
        if (!retain && !known.BranchId.IsNull)
            RemoveUnderLock(known);
        else
            PlaceUnderLock(known, retain);
    }

    private void AddUnderLock(MirroredCondition one, long bytes, bool retain)
    {
        if (!MakeRoomUnderLock(bytes))
        {
            Interlocked.Increment(ref _refused);
            return;
        }

        one.Bytes = bytes;
        _bytes += bytes;
        _known.Add((one.ConditionId, one.BranchId), one);
        if (!_byId.TryGetValue(one.ConditionId, out var branches))
            _byId.Add(one.ConditionId, branches = []);
        branches.Add(one);
        PlaceUnderLock(one, retain);
    }

    /// <param name="bytes">More than now.</param>
    /// <param name="known">Grows; null: one that is new.</param>
    private bool MakeRoomUnderLock(long bytes, MirroredCondition? known = null)
    {
        for (var idle = _idle.First; !HasRoom() && idle is not null;)
        {
            var next = idle.Next;
            if (idle.Value != known)
                RemoveUnderLock(idle.Value);
            idle = next;
        }

        return HasRoom();

        bool HasRoom() => (known is not null || _known.Count < _limits.MaxConditions()) &&
            _bytes + bytes <= _limits.MaxBytes();
    }

    private void PlaceUnderLock(MirroredCondition one, bool retain)
    {
        _all.PlaceUnderLock(one, retain);
        if (retain && one.Idle is { } idle)
        {
            _idle.Remove(idle);
            one.Idle = null;
        }
        else if (!retain && one.Idle is null)
        {
            one.Idle = _idle.AddLast(one);
        }
    }

    private void RemoveUnderLock(MirroredCondition one)
    {
        PlaceUnderLock(one, retain: false);
        _idle.Remove(one.Idle!);
        one.Idle = null;
        _known.Remove((one.ConditionId, one.BranchId));
        _bytes -= one.Bytes;
        var branches = _byId[one.ConditionId];
        branches.Remove(one);
        if (branches.Count == 0)
            _byId.Remove(one.ConditionId);
    }

    private int End(Func<MirroredCondition, int, bool> isOver)
    {
        List<MirroredCondition> over;
        lock (_all.Lock)
            over = [.. _known.Values.Where(one => isOver(one, _generation))];
        var ended = 0;
        foreach (var slice in over.Chunk(EndSlice))
        {
            lock (_all.Lock)
            {
                MostAtOnce = Math.Max(MostAtOnce, slice.Length);
                foreach (var one in slice.Where(one => isOver(one, _generation)))
                {
                    EndUnderLock(one);
                    ended++;
                }
            }
        }

        return ended;
    }

    /// <summary>With an EventId and a time of the gateway: the upstream has told nothing of it.</summary>
    private void EndUnderLock(MirroredCondition one)
    {
        var before = one.Record;
        var record = Changed(before, values =>
        {
            values[MirroredFields.EventId] = Variant.FromByteString(_all.Hub.Maker.NextEventId());
            values[MirroredFields.Time] = values[MirroredFields.ReceiveTime] = new Variant(Now);
            values[MirroredFields.Message] = new Variant(new LocalizedText(GoneMessage, "en"));
            values[MirroredFields.Retain] = new Variant(false);
            values[MirroredFields.Quality] = new Variant(new StatusCode(StatusCodes.Uncertain));
            values[MirroredFields.QualityTime] = new Variant(Now);
            if (values[MirroredFields.Active].Type != BuiltInType.Boolean)
                return;
            values[MirroredFields.Active] = new Variant(false);
            values[MirroredFields.ActiveState] = new Variant(new LocalizedText("Inactive", "en"));
            values[MirroredFields.ActiveTime] = new Variant(Now);
        });
        UpdateUnderLock(one, record, one.Bytes, retain: false);
        _all.TellUnderLock(record, before, one);
    }

    /// <summary>The name stays as long as the comment that it belongs to.</summary>
    private EventRecord WithAuthor(EventRecord record, MirroredCondition known)
    {
        var upstreams = record.Values[MirroredFields.ClientUserId].AsString();
        if (_answers.UserOf(record) is { } user)
            known.Author = (user, upstreams);
        else if (known.Author is { } author && (author.Upstreams != upstreams ||
            record.Values[MirroredFields.Comment] != known.Record.Values[MirroredFields.Comment]))
            known.Author = null;
        return known.Author is { } now
            ? Changed(record, values => values[MirroredFields.ClientUserId] = new Variant(now.User))
            : record;
    }

    private static bool HasQuality(EventRecord record, uint quality) => record.Values[MirroredFields.Quality] is
    { Type: BuiltInType.StatusCode } told && told.AsStatusCode() == quality;

    /// <summary>All but ReceiveTime, which is ours.</summary>
    private static bool IsSame(EventRecord one, EventRecord other)
    {
        if (one.Layout != other.Layout)
            return false;
        for (var i = 0; i < one.Values.Length; i++)
        {
            if (i != MirroredFields.ReceiveTime && one.Values[i] != other.Values[i])
                return false;
        }

        return true;
    }

    private static EventRecord Changed(EventRecord record, Action<Variant[]> change)
    {
        var values = record.Values.ToArray();
        change(values);
        return new EventRecord(record.Layout, values, record.Source) { Root = record.Root };
    }
}
