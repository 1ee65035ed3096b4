using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Values;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Events.Filters;
using Gateway.Events.Model;

namespace Gateway.Events.Delivery;

/// <summary>
/// Brings events to the items that want them. Each event is held against each distinct filter once, and its fields are
/// encoded once for each filter that it passes; the shards share the bytes. Without items nothing is done. Threads: any
/// raises; the order of events is the order of the calls. Filters are looked at, and fields encoded, without the lock
/// that items need to come and go. Lock order: raising → hub → <see cref="EventInbox"/>, and shard → hub; nobody
/// raises under a shard's lock, and nothing takes one inside. Source: Part 4 §5.13.1, §7.22.3.
/// </summary>
public sealed class EventHub : IDisposable
{
    /// <summary>Rounds for filters that come while an event is looked at; those of the last one are looked at under the
    /// lock.</summary>
    private const int MaxRounds = 4;

    private static readonly List<EventGroup> NoGroups = [];

    private readonly NodeTable _nodes;
    private readonly FilterCompiler _compiler;
    private readonly FilterJudge _judge;
    private readonly FilterPlaces _places;
    private readonly Lock _raising = new();
    private readonly Lock _lock = new();
    private readonly Dictionary<byte[], FilterEntry> _filters = new(ContentComparer.Instance);
    private readonly List<EventInbox> _inboxes = [];
    private readonly List<FilterEntry> _judged = [];

    /// <summary>An event looks at those of its own notifiers alone.</summary>
    private readonly Dictionary<NodeHandle, List<EventGroup>> _byNotifier = [];
    private readonly NotifierWalk _walk;
    private readonly FieldEncoder _othersEncoder;
    private readonly RefreshFields _refreshes;

    // The event that is being raised, and whether it is retained.
    private ConditionNotice _notice;
    private bool _isRetained;
    private int _groups;
    private int _lowerGroups;
    private int _views;
    private int _auditItems;
    private long _sequence;
    private bool _isDisposed;

    public EventHub(NodeTable nodes, ValueStore store, EventMaker maker, EventHubLimits limits, TimeProvider time)
    {
        (_nodes, Maker) = (nodes, maker);
        _compiler = new FilterCompiler(nodes, limits.Filter);
        _judge = new FilterJudge(
            new FilterBudget(time, limits.MaxEventFilterStepsPerSecond), new FieldEncoder(store));
        _places = new FilterPlaces(limits.MaxEventFilters, time);
        _walk = new NotifierWalk(nodes);
        _othersEncoder = new FieldEncoder(store);
        _refreshes = new RefreshFields(
            nodes, _othersEncoder, new FilterBudget(time, limits.MaxEventFilterStepsPerSecond));
    }

    /// <summary>Makes the events of the gateway itself.</summary>
    public EventMaker Maker { get; }

    /// <summary>Of all conditions whose notifications are raised.</summary>
    public ConditionPlaces Places { get; } = new();

    /// <summary>Events so far.</summary>
    public long Raised => Interlocked.Read(ref _sequence);

    /// <summary>Events that were not held against a filter because the clauses had taken all steps of the second, each
    /// filter counted.</summary>
    public long Unjudged => _judge.Unjudged;

    /// <summary>Groups of items looked at for events.</summary>
    internal long Looked { get; private set; }

    /// <summary>Events look for Views that their sources are in.</summary>
    internal bool WantsViews => _walk.WantsViews;

    /// <summary>Filters refused because there were too many.</summary>
    public long RefusedFilters => _places.Refused;

    /// <summary>Somebody would get an audit event. Otherwise none need be made.</summary>
    public bool HasAuditListeners => Volatile.Read(ref _auditItems) > 0;

    /// <summary>Events lost because a shard lagged, each group of items counted.</summary>
    public long Lost
    {
        get
        {
            lock (_lock)
                return _inboxes.Sum(static inbox => inbox.Lost);
        }
    }

    /// <summary>Distinct filters that items use now.</summary>
    public int FilterCount
    {
        get
        {
            lock (_lock)
                return _filters.Count;
        }
    }

    /// <summary>Before the first item.</summary>
    public EventInbox OpenInbox(int maxEvents, Action wake)
    {
        lock (_lock)
        {
            var inbox = new EventInbox(_inboxes.Count, maxEvents, wake);
            _inboxes.Add(inbox);
            return inbox;
        }
    }

    /// <summary>Checks a filter, and takes it for one item, which gives it back by <see cref="Release"/>. Errors: those
    /// of <see cref="FilterCompiler"/>; Bad_TooManyMonitoredItems where there are too many distinct filters, or only
    /// the last sixth is left and the client has more than a sixth (R46).</summary>
    /// <param name="filter">Of the request.</param>
    /// <param name="holder">The client: one that brings a new filter has it on its account.</param>
    public FilterVerdict Take(EventFilter filter, string holder)
    {
        var verdict = _compiler.Compile(filter);
        if (verdict.Filter is not { } compiled)
            return verdict;
        lock (_lock)
        {
            if (!_filters.TryGetValue(compiled.Key, out var entry))
            {
                if (!_places.TryTake(holder, out var account))
                    return new FilterVerdict(StatusCodes.BadTooManyMonitoredItems, null, null);
                _filters.Add(compiled.Key, entry = new FilterEntry(compiled, account));
            }

            entry.Items++;
            return verdict with { Filter = entry.Filter };
        }
    }

    /// <summary>An item has it no more.</summary>
    public void Release(CompiledFilter filter)
    {
        lock (_lock)
        {
            var entry = _filters[filter.Key];
            if (--entry.Items > 0)
                return;
            _filters.Remove(filter.Key);
            _places.Release(entry.Holder);
        }
    }

    /// <summary>An item watches: without one no event has to be built.</summary>
    public bool IsWatched => Volatile.Read(ref _groups) > 0;

    /// <summary>One more item of the shard watches.</summary>
    /// <param name="filter">That was taken.</param>
    /// <param name="notifier">The node of the item.</param>
    /// <param name="inbox">Of the shard.</param>
    /// <param name="seesAudit">The item's user may read the audit trail.</param>
    /// <param name="isStray">The item has shown conditions by another filter: see <see cref="EndStray"/>.</param>
    public EventGroup Join(
        CompiledFilter filter, NodeHandle notifier, EventInbox inbox, bool seesAudit, bool isStray = false)
    {
        lock (_lock)
        {
            var entry = _filters[filter.Key];
            entry.Strays += isStray ? 1 : 0;
            if (!_byNotifier.TryGetValue(notifier, out var groups))
                _byNotifier.Add(notifier, groups = []);
            var group = groups.Find(one => one.Entry == entry && one.SeesAudit == seesAudit);
            if (group is null)
            {
                groups.Add(group = new EventGroup(entry, notifier, seesAudit, _inboxes.Count)
                {
                    IsOfView = _walk.IsView(notifier),
                });
                _walk.WantsViews = (_views += group.IsOfView ? 1 : 0) > 0;
                Volatile.Write(ref _groups, _groups + 1);
                if (!_walk.IsRoot(notifier))
                    _lowerGroups++;
            }

            group.Members[inbox.Index]++;
            if (IsOfAudit(group))
                _auditItems++;
            return group;
        }
    }

    /// <summary>None of the conditions that the item has shown is of another filter any more.</summary>
    public void EndStray(CompiledFilter filter)
    {
        lock (_lock)
            _filters[filter.Key].Strays--;
    }

    /// <summary>One item less.</summary>
    public void Leave(EventGroup group, EventInbox inbox, bool isStray = false)
    {
        lock (_lock)
        {
            group.Entry.Strays -= isStray ? 1 : 0;
            group.Members[inbox.Index]--;
            if (IsOfAudit(group))
                _auditItems--;
            if (Array.Exists(group.Members, static count => count > 0))
                return;
            var groups = _byNotifier[group.Notifier];
            groups.Remove(group);
            if (groups.Count == 0)
                _byNotifier.Remove(group.Notifier);
            Volatile.Write(ref _groups, _groups - 1);
            _walk.WantsViews = (_views -= group.IsOfView ? 1 : 0) > 0;
            if (!_walk.IsRoot(group.Notifier))
                _lowerGroups--;
        }
    }

    /// <summary>As <see cref="EventInbox.Read"/>, between two events: one that is here for a group is here for all.
    /// </summary>
    public List<PostedEvent> Read(EventInbox inbox, EventGroup group, long seen, out long last, out bool? lost)
    {
        lock (_lock)
            return inbox.Read(group, seen, out last, out lost);
    }

    /// <summary>Brings an event to all items that watch a notifier of its source and whose filter it passes.</summary>
    public void Raise(EventRecord record) => Raise(new ConditionNotice(record, null, -1));

    /// <summary>A condition that was retained and passed a filter until now is told once more where it passes no
    /// longer, with Retain false, to the items that have shown it: else it would stay in the client's list for ever.
    /// Source: Part 9 §5.5.2 (SupportsFilteredRetain).</summary>
    public void Raise(in ConditionNotice notice)
    {
        lock (_raising)
        {
            if (_isDisposed)
                return;
            var record = notice.Record;
            (_notice, _isRetained) = (notice, record.IsRetained);
            var sequence = Interlocked.Increment(ref _sequence);
            _judge.Begin(notice.Before);
            _walk.Begin(record);
            _walk.NotifiersOf(Volatile.Read(ref _lowerGroups) > 0);
            try
            {
                for (var round = 1; !TryPost(record, sequence, isLast: round == MaxRounds); round++)
                {
                }
            }
            finally
            {
                foreach (var entry in _judged)
                    entry.Forget();
                _judged.Clear();
                _judge.End();
                _notice = default;
            }
        }
    }

    /// <summary>The fields of an event for one item, whether it passes the filter or not; the caller's.</summary>
    public SharedValue Encode(CompiledFilter filter, EventRecord record) => _othersEncoder.Encode(filter, record);

    /// <summary>A refresh of an item with the filter begins; <see cref="EndRefresh"/> follows before the item gives
    /// the filter back.</summary>
    public FilterRefresh BeginRefresh(CompiledFilter filter)
    {
        FilterEntry entry;
        lock (_lock)
            entry = _filters[filter.Key];
        _refreshes.Begin(entry);
        return new FilterRefresh(entry);
    }

    public void EndRefresh(FilterRefresh refresh) => _refreshes.End(refresh.Entry);

    /// <summary>The fields of a notification for a refresh of an item.</summary>
    /// <param name="refresh">Of the item.</param>
    /// <param name="notifier">Of the item.</param>
    /// <param name="record">Retained.</param>
    /// <param name="fields">Not null where it is brought; the caller's.</param>
    /// <param name="steps">Of the slice; those taken are taken off, be there less or not.</param>
    public RetainedStep EncodeRetained(
        FilterRefresh refresh, NodeHandle notifier, EventRecord record, out SharedValue? fields, ref int steps) =>
        _refreshes.Encode(refresh.Entry, notifier, record, out fields, ref steps);

    /// <summary>As <see cref="PostedEvent.Source"/>: a source with an access rule, which it keeps when it is removed;
    /// None: all may have its events.</summary>
    public NodeHandle GuardedSourceOf(EventRecord record) =>
        _nodes.HasAccessRule(record.Source) ? record.Source : default;

    /// <summary>Events that are raised from now on reach nobody.</summary>
    public void Dispose()
    {
        _refreshes.Dispose();
        lock (_raising)
            _isDisposed = true;
        FilterEntry[] entries;
        lock (_lock)
            entries = [.. _filters.Values];
        foreach (var entry in entries)
            _refreshes.Drop(entry);
        _judge.Dispose();
        _othersEncoder.Dispose();
    }

    private bool IsOfAudit(EventGroup group) => group.SeesAudit && _walk.IsRoot(group.Notifier);

    /// <summary>True: every filter that is there has been asked, and the event is posted.</summary>
    private bool TryPost(EventRecord record, long sequence, bool isLast)
    {
        var first = _judged.Count;
        lock (_lock)
        {
            FindUnderLock(record, sequence);
            var isKnown = _judged.Count == first;
            if (isKnown || isLast)
            {
                Judge(record, first);
                PostUnderLock(record, sequence);
                return true;
            }
        }

        Judge(record, first);
        return false;
    }

    /// <summary>The filters that the event has not been held against yet and whose items watch a notifier of it.
    /// </summary>
    private void FindUnderLock(EventRecord record, long sequence)
    {
        foreach (var notifier in _walk.NotifiersOf(_lowerGroups > 0))
        {
            foreach (var group in GroupsOfUnderLock(notifier))
            {
                if (group.Entry.Judged == sequence || !Sees(group, record))
                    continue;
                group.Entry.Judged = sequence;
                _judged.Add(group.Entry);
            }
        }
    }

    private List<EventGroup> GroupsOfUnderLock(NodeHandle notifier)
    {
        var groups = _byNotifier.GetValueOrDefault(notifier) ?? NoGroups;
        Looked += groups.Count;
        return groups;
    }

    private static bool Sees(EventGroup group, EventRecord record) => group.SeesAudit || !record.Layout.IsAudit;

    private void Judge(EventRecord record, int first)
    {
        for (var i = first; i < _judged.Count; i++)
            _judge.Judge(_judged[i], record);
    }

    private void PostUnderLock(EventRecord record, long sequence)
    {
        foreach (var entry in _judged)
        {
            if (entry is { Fields: null, IsUnjudged: false })
                _judge.JudgeStrays(entry, record);
        }

        var guarded = GuardedSourceOf(record);
        foreach (var notifier in _walk.NotifiersOf(_lowerGroups > 0))
        {
            foreach (var group in GroupsOfUnderLock(notifier))
            {
                if (Sees(group, record) && group.Entry is { Fields: not null } or { IsUnjudged: true })
                    PostUnderLock(group, record, sequence, guarded);
            }
        }
    }

    private void PostUnderLock(EventGroup group, EventRecord record, long sequence, NodeHandle guarded)
    {
        var mark = _notice.MarkOf(group.Entry.IsEnding, _isRetained);
        for (var i = 0; i < _inboxes.Count; i++)
        {
            if (group.Members[i] == 0)
                continue;
            if (group.Entry.Fields is { } fields)
                _inboxes[i].Post(new PostedEvent(
                    group, fields, sequence, guarded, record.Layout.IsCondition, record.Layout.IsAudit)
                { Place = _notice.Place, Mark = mark });
            else
                _inboxes[i].PostLoss(group, record.Layout.IsCondition);
        }
    }
}
