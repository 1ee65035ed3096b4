using Gateway.AddressSpace.Values;
using Gateway.Events.Conditions;
using Gateway.Events.Delivery;
using Gateway.Events.Filters;
using Gateway.Events.Model;

namespace Gateway.Publish.Items;

/// <summary>
/// The refresh of one item: a cursor over what is retained, which moves on as the client takes what it has brought. So
/// it never overflows the queue, and half of that is left to the events of now. A notification is read when it is put
/// into the queue: never older than one that is there already. Owner: the item, under its shard's lock.
/// Source: Part 9 §4.5, §5.5.7.
/// </summary>
internal sealed class RefreshFeed(ConditionTable conditions, EventHub hub, RefreshRun run, CompiledFilter filter)
{
    /// <summary>Looked at before the shard's lock is given up for a moment.</summary>
    private const int PlacesPerSlice = 256;

    /// <summary>As above, of a costly filter: about a millisecond.</summary>
    private const int StepsPerSlice = 200_000;

    private int _next;
    private int _nextMirrored;
    private bool _hasBegun;
    private FilterRefresh _refresh;

    /// <summary>The queue has no room: the feed goes on once the client has emptied it.</summary>
    public bool IsParked { get; private set; }

    /// <summary>It was parked before: what it brings now is the rest of a message.</summary>
    public bool HasParked { get; private set; }

    /// <summary>Filters have taken all steps of this second: the feed goes on in a later turn of the shard.</summary>
    public bool IsResting { get; private set; }

    public bool IsOver { get; private set; }

    /// <summary>Counts its entries in the queues of a shard: only the last one is good.</summary>
    public int Turn { get; set; }

    /// <summary>Has the item's shard go on; null while it is on its way to another one.</summary>
    public Action<MonitoredItem>? Resume { get; set; }

    public void Begin()
    {
        _refresh = hub.BeginRefresh(filter);
        run.Begin();
    }

    public void Finish()
    {
        IsOver = true;
        hub.EndRefresh(_refresh);
        run.Finish();
    }

    /// <summary>The item's queue is empty, or the item has come to another shard.</summary>
    public void OnDrained(MonitoredItem item)
    {
        if (!IsParked || Resume is null)
            return;
        IsParked = false;
        Resume(item);
    }

    /// <summary>One slice. True: it has brought something.</summary>
    public bool Fill(MonitoredItem item, ItemValues values)
    {
        var hasBrought = IsResting = false;
        var steps = StepsPerSlice;
        for (var left = PlacesPerSlice; left > 0 && steps > 0 && !IsResting; left--)
        {
            if (item.IsAway || item.Queue.Count >= Math.Max(1, item.Queue.Size / 2))
            {
                (IsParked, HasParked) = (true, true);
                return hasBrought;
            }

            var (next, nextMirrored) = (_next, _nextMirrored);
            if (!_hasBegun)
            {
                _hasBegun = hasBrought = true;
                // The client drops at the end all that the refresh has not brought.
                item.Extras.Event!.Shown.Clear();
                item.TakeInEvent(hub.Encode(filter, run.Start), NotificationBits.None, values);
            }
            else if (!conditions.TryReadRetained(ref _next, out var record, out var place) &&
                !conditions.Mirrored.TryReadRetained(ref _nextMirrored, out record, out place))
            {
                item.TakeInEvent(hub.Encode(filter, run.End), NotificationBits.None, values);
                IsOver = true;
                return true;
            }
            else if (record is not null)
            {
                hasBrought |= Bring(item, record, place, values, ref steps);
                if (IsResting)
                    (_next, _nextMirrored) = (next, nextMirrored);
            }
        }

        return hasBrought;
    }

    private bool Bring(MonitoredItem item, EventRecord record, int place, ItemValues values, ref int steps)
    {
        var guarded = hub.GuardedSourceOf(record);
        if (!guarded.IsNone && item.Subscription.Consumer.Access.CheckEvents(guarded).IsBad)
            return false;
        var step = hub.EncodeRetained(_refresh, item.Node, record, out var fields, ref steps);
        IsResting = step == RetainedStep.Rests;
        // Not that the client has to refresh: it would do so for ever.
        if (step == RetainedStep.TooCostly)
            item.OnEventsLost(hasConditions: false);
        if (fields is null)
            return false;
        var bits = EventItem.Condition;
        if (!guarded.IsNone)
        {
            item.Extras.Event!.NoteGuarded(guarded, isAudit: false);
            bits |= EventItem.Guarded;
        }

        item.Extras.Event!.Shown.Note(place, ShownMark.Shows);
        item.TakeInEvent(fields, bits, values);
        return true;
    }
}
