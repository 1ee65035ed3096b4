using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Values;
using Gateway.Events.Delivery;
using Gateway.Events.Filters;
using Gateway.Events.Model;

namespace Gateway.Publish.Items;

/// <summary>
/// The rest of an item that watches events: its filter, and the notice that events were lost. The notice stands beside
/// the queue: at its beginning where the oldest events are discarded, at its end where the newest are. There is one for
/// all that is lost until it leaves. It passes the where clause unasked, and only this item gets it. Owner: the item,
/// under its shard's lock. Source: Part 4 §5.13.1.5, Part 5 §6.4.34.
/// </summary>
internal sealed class EventItem(EventHub hub, CompiledFilter filter)
{
    /// <summary>Of an entry in the queue: its source has an access rule, or it is an audit event. Events carry no
    /// status.</summary>
    public const NotificationBits Guarded = (NotificationBits)1;

    /// <summary>Of an entry in the queue: a client that loses it has to refresh.</summary>
    public const NotificationBits Condition = (NotificationBits)2;

    private const ushort OverflowSeverity = 500;

    private const ushort RefreshSeverity = 400;

    /// <summary>Sources that are remembered one by one.</summary>
    private const int MaxGuardedSources = 16;

    private SharedValue? _notice;
    private List<NodeHandle>? _guardedSources;
    private bool _hadAudit;
    private bool _hadUnknownSources;
    private bool _hadOtherRules;
    private NotificationBits _endangered;
    private bool _hasConditions;
    private bool _needsRefresh;

    public CompiledFilter Filter { get; set; } = filter;

    /// <summary>Of its file.</summary>
    public EventItemNotes Notes => (_notice is null ? EventItemNotes.None : EventItemNotes.HasLost) |
        (_hadAudit ? EventItemNotes.HadAudit : EventItemNotes.None) |
        (_hadOtherRules ? EventItemNotes.HadOtherRules : EventItemNotes.None) |
        (_hadUnknownSources || _guardedSources?.Count > MaxGuardedSources
            ? EventItemNotes.HadUnknownSources
            : EventItemNotes.None);

    /// <summary>Sources with access rules whose events it has had, as far as they are remembered.</summary>
    public IReadOnlyList<NodeHandle> GuardedSources => _guardedSources ?? (IReadOnlyList<NodeHandle>)[];

    /// <summary>Those of the process before; null: there was none.</summary>
    public RestoredSources? RestoredSources { get; private set; }

    /// <summary>As its file says. Notifications of conditions may have been lost while the gateway was away.</summary>
    /// <param name="notes">Of the file.</param>
    /// <param name="sources">Of the file, with access rules.</param>
    public void Restore(EventItemNotes notes, RestoredSources sources)
    {
        _hadAudit = notes.HasFlag(EventItemNotes.HadAudit);
        _hadUnknownSources = notes.HasFlag(EventItemNotes.HadUnknownSources);
        _hadOtherRules = notes.HasFlag(EventItemNotes.HadOtherRules);
        RestoredSources = sources;
        _needsRefresh = true;
        if (notes.HasFlag(EventItemNotes.HasLost))
            MakeNotice();
    }

    /// <summary>The conditions that its client has in its list.</summary>
    public ShownConditions Shown { get; } = new();

    /// <summary>Some of them it has shown by another filter.</summary>
    public bool IsStray { get; set; }

    /// <summary>Null while it gets no events.</summary>
    public EventGroup? Group { get; set; }

    /// <summary>Its user may receive audit events.</summary>
    public bool SeesAudit { get; set; }

    /// <summary>Place among the members of its group.</summary>
    public int Place { get; set; } = -1;

    /// <summary>The last event that came to it.</summary>
    public long SeenSequence { get; set; }

    /// <summary>Events found no room while the item was on its way to another shard.</summary>
    public bool HasLostAway { get; set; }

    /// <summary>It leaves before the entries that are in the queue now; null: there is none. Its reference stays the
    /// item's until <see cref="OnNoticeTaken"/>.</summary>
    public SharedValue? Notice => _notice;

    /// <summary>The refresh that is under way; null: there is none.</summary>
    public RefreshFeed? Feed { get; private set; }

    /// <summary>None is under way.</summary>
    public void BeginRefresh(RefreshFeed feed)
    {
        _needsRefresh = false;
        Feed = feed;
        feed.Begin();
    }

    /// <summary>Does nothing where none is under way.</summary>
    /// <param name="isCut">The item cannot have the rest: the client has to refresh again.</param>
    public void EndRefresh(bool isCut)
    {
        if (Feed is not { } feed)
            return;
        Feed = null;
        feed.Finish();
        _needsRefresh |= isCut;
    }

    /// <summary>The client has to be told that it has to refresh, once the queue is empty.</summary>
    public bool NeedsRefresh => _needsRefresh;

    /// <summary>Notifications of conditions may be lost that no queue has seen.</summary>
    public void OnConditionsLost()
    {
        _needsRefresh = true;
        Shown.Clear();
    }

    /// <summary>An event is about to come into the queue.</summary>
    public void OnComing(SharedValue fields, NotificationBits bits, in ItemQueue queue, bool discardOldest)
    {
        _hasConditions |= (bits & Condition) != 0;
        // Large ones may push out several others, or have no room themselves.
        _endangered = fields.LargeBytes > 0
            ? _hasConditions ? Condition : NotificationBits.None
            : queue.Count == 0 ? NotificationBits.None : queue.At(discardOldest ? 0 : queue.Count - 1).Bits;
    }

    /// <summary>The queue is empty. Notifications of conditions were lost while it was full: now the client is told,
    /// and true returned. Source: Part 9 §5.11.4.</summary>
    public bool OnDrained(MonitoredItem item)
    {
        Feed?.OnDrained(item);
        if (!_needsRefresh || Feed is not null)
            return false;
        _needsRefresh = false;
        _notice = hub.Encode(Filter, hub.Maker.Make(
            StandardEvents.RefreshRequired, default, "Server",
            "Notifications of conditions were lost: refresh the conditions.", RefreshSeverity));
        return true;
    }

    /// <summary>An event of a source with an access rule, or an audit event, comes to the item: it, or a message that
    /// is kept for Republish, holds it from now on.</summary>
    public void NoteGuarded(NodeHandle source, bool isAudit)
    {
        _hadAudit |= isAudit;
        if (source.IsNone)
            return;
        _guardedSources ??= [];
        if (_guardedSources.Count <= MaxGuardedSources && !_guardedSources.Contains(source))
            _guardedSources.Add(source);
    }

    /// <summary>It has had events that not everybody may have.</summary>
    public bool HadGuarded => _hadAudit || _hadUnknownSources || _hadOtherRules || _guardedSources is not null ||
        RestoredSources?.Ids.Count > 0;

    /// <summary>Whether a user may have all that the item has had.</summary>
    public bool MayKeep(IItemAccess access) => (!_hadAudit || access.SeesAudit) &&
        !_hadUnknownSources && !_hadOtherRules &&
        RestoredSources?.MayKeep(access) != false &&
        (_guardedSources is null ||
        (_guardedSources.Count <= MaxGuardedSources &&
        _guardedSources.TrueForAll(source => access.CheckEvents(source).IsGood)));

    /// <summary>True: an event was dropped that the new user may perhaps have had. The others are none of his, and he
    /// learns nothing of them.</summary>
    public bool DropGuarded(ref ItemQueue queue)
    {
        // Of a restored one perhaps the source is not there yet: he is told that something is lost.
        var isUnknown = _hadOtherRules || RestoredSources is { AreThere: false };
        // Then an entry was open to all that perhaps is not any more.
        var areAll = _hadOtherRules;
        _hadOtherRules = false;
        (_guardedSources, _hadAudit, _hadUnknownSources, RestoredSources) = (null, false, false, null);
        var isOfHis = false;
        for (var left = queue.Count; left > 0; left--)
        {
            var entry = queue.Dequeue();
            // A queue of one keeps no bits.
            if ((entry.Bits & Guarded) == 0 && queue.Size > 1 && !areAll)
            {
                queue.Enqueue(entry.Value, discardOldest: true, entry.Bits);
                continue;
            }

            entry.Value.Release();
            isOfHis |= queue.Size == 1 || isUnknown;
        }

        return isOfHis;
    }

    /// <summary>An event was discarded.</summary>
    /// <param name="atOnce">The notice leads the queue; otherwise it follows the entry that is flagged.</param>
    public void OnDiscarded(bool atOnce)
    {
        _needsRefresh |= (_endangered & Condition) != 0;
        if (atOnce)
            MakeNotice();
    }

    /// <summary>The notice has left; its reference went with it.</summary>
    public void OnNoticeTaken() => _notice = null;

    /// <summary>An entry has left the queue.</summary>
    public void OnTaken(NotificationBits bits, bool discardOldest)
    {
        if (!discardOldest && (bits & NotificationBits.Overflow) != 0)
            MakeNotice();
    }

    public void MakeNotice() => _notice ??= hub.Encode(Filter, hub.Maker.Make(
        StandardEvents.QueueOverflow, default, "Internal/EventQueueOverflow",
        "Events were lost: the queue of this monitored item was full.", OverflowSeverity));

    public void Clear()
    {
        EndRefresh(isCut: false);
        _notice?.Release();
        (_notice, _guardedSources, _hadAudit, _hadUnknownSources) = (null, null, false, false);
        (RestoredSources, _hadOtherRules) = (null, false);
        (_needsRefresh, _hasConditions) = (false, false);
        Shown.Clear();
    }
}
