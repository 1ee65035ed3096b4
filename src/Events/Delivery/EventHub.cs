using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Values;
using Gateway.Codec.Binary;
using Gateway.Codec.Pooling;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Events.Filters;
using Gateway.Events.Model;

namespace Gateway.Events.Delivery;

/// <summary>
/// Brings events to the items that want them. Each event is held against each distinct filter once, and its fields are
/// encoded once for each filter that it passes; the shards share the bytes. Without items nothing is done. Threads: any
/// raises; the order of events is the order of the calls. Lock order: shard → hub → <see cref="EventInbox"/>.
/// Source: Part 4 §5.13.1, §7.22.3.
/// </summary>
public sealed class EventHub(NodeTable nodes, ValueStore store, EventMaker maker) : IDisposable
{
    /// <summary>A larger field of an event gives Bad_EncodingLimitsExceeded in its place.</summary>
    private const int MaxFieldBytes = 64 * 1024;

    /// <summary>Distinct filters of all items: an event is held against each of them.</summary>
    internal const int MaxFilters = 1_000;

    /// <summary>Of encoded notifications that refreshes have in common; beyond it each encodes for itself.</summary>
    private const long MaxRetainedBytes = 32 * 1024 * 1024;

    private readonly FilterCompiler _compiler = new(nodes, new EventFilterLimits());
    private readonly Lock _lock = new();
    private readonly Dictionary<byte[], FilterEntry> _filters = new(ContentComparer.Instance);
    private readonly List<EventInbox> _inboxes = [];
    private readonly NotifierWalk _walk = new(nodes);
    private readonly PooledBuffer _scratch = new(0);
    private Variant[] _results = [];
    private long _sequence;
    private long _retainedBytes;
    private int _groups;
    private bool _isDisposed;

    /// <summary>Makes the events of the gateway itself.</summary>
    public EventMaker Maker { get; } = maker;

    /// <summary>Events so far.</summary>
    public long Raised => Interlocked.Read(ref _sequence);

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
    /// of <see cref="FilterCompiler"/>; Bad_TooManyMonitoredItems where there are too many distinct filters.</summary>
    public FilterVerdict Take(EventFilter filter)
    {
        var verdict = _compiler.Compile(filter);
        if (verdict.Filter is not { } compiled)
            return verdict;
        lock (_lock)
        {
            if (!_filters.TryGetValue(compiled.Key, out var entry))
            {
                if (_filters.Count >= MaxFilters)
                    return new FilterVerdict(StatusCodes.BadTooManyMonitoredItems, null, null);
                _filters.Add(compiled.Key, entry = new FilterEntry(compiled));
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
            if (--entry.Items == 0)
                _filters.Remove(filter.Key);
        }
    }

    /// <summary>An item watches: without one no event has to be built.</summary>
    public bool IsWatched => Volatile.Read(ref _groups) > 0;

    /// <summary>One more item of the shard watches.</summary>
    public EventGroup Join(CompiledFilter filter, NodeHandle notifier, EventInbox inbox)
    {
        lock (_lock)
        {
            var groups = _filters[filter.Key].Groups;
            var group = groups.Find(one => one.Notifier == notifier);
            if (group is null)
            {
                groups.Add(group = new EventGroup(filter, notifier, _inboxes.Count));
                Volatile.Write(ref _groups, _groups + 1);
            }

            group.Members[inbox.Index]++;
            return group;
        }
    }

    /// <summary>One item less.</summary>
    public void Leave(EventGroup group, EventInbox inbox)
    {
        lock (_lock)
        {
            group.Members[inbox.Index]--;
            if (Array.Exists(group.Members, static count => count > 0))
                return;
            _filters[group.Filter.Key].Groups.Remove(group);
            Volatile.Write(ref _groups, _groups - 1);
        }
    }

    /// <summary>Brings an event to all items that watch a notifier of its source and whose filter it passes.</summary>
    public void Raise(EventRecord record)
    {
        lock (_lock)
        {
            if (_isDisposed)
                return;
            Interlocked.Increment(ref _sequence);
            _walk.Begin(record.Source);
            foreach (var (_, entry) in _filters)
            {
                if (entry.Groups.Count > 0 && PassesUnderLock(entry.Filter, record))
                    PostUnderLock(entry, record);
            }
        }
    }

    /// <summary>The fields of an event for one item, whether it passes the filter or not; the caller's.</summary>
    public SharedValue Encode(CompiledFilter filter, EventRecord record)
    {
        lock (_lock)
            return EncodeUnderLock(filter, record);
    }

    /// <summary>A refresh of an item with the filter begins; <see cref="EndRefresh"/> follows before the item gives
    /// the filter back.</summary>
    public void BeginRefresh(CompiledFilter filter)
    {
        lock (_lock)
            _filters[filter.Key].Refreshes++;
    }

    public void EndRefresh(CompiledFilter filter)
    {
        lock (_lock)
        {
            var entry = _filters[filter.Key];
            if (--entry.Refreshes == 0)
                DropRetainedUnderLock(entry);
        }
    }

    /// <summary>The fields of a notification for a refresh of an item; the caller's. Null: it does not pass the filter,
    /// or is none of the notifier's.</summary>
    /// <param name="filter">Of the item; its refresh has begun.</param>
    /// <param name="notifier">Of the item.</param>
    /// <param name="record">Retained.</param>
    /// <param name="guarded">As <see cref="PostedEvent.Source"/>.</param>
    public SharedValue? EncodeRetained(
        CompiledFilter filter, NodeHandle notifier, EventRecord record, out NodeHandle guarded)
    {
        lock (_lock)
        {
            guarded = default;
            if (_isDisposed)
                return null;
            _walk.Begin(record.Source);
            if (!_walk.Reaches(notifier))
                return null;
            guarded = GuardedSourceOf(record);
            var entry = _filters[filter.Key];
            if (!entry.Retained.TryGetValue(record, out var fields))
            {
                fields = PassesUnderLock(entry.Filter, record) ? EncodeUnderLock(entry.Filter, record) : null;
                var bytes = BytesOf(fields);
                if (_retainedBytes + bytes > MaxRetainedBytes)
                    return fields;
                _retainedBytes += bytes;
                entry.Retained.Add(record, fields);
            }

            fields?.AddReference();
            return fields;
        }
    }

    /// <summary>Events that are raised from now on reach nobody.</summary>
    public void Dispose()
    {
        lock (_lock)
        {
            _isDisposed = true;
            foreach (var (_, entry) in _filters)
                DropRetainedUnderLock(entry);
            _scratch.Dispose();
        }
    }

    private bool PassesUnderLock(CompiledFilter filter, EventRecord record)
    {
        if (_results.Length < filter.ElementCount)
            _results = new Variant[filter.ElementCount];
        return filter.Passes(record, _results);
    }

    private void PostUnderLock(FilterEntry entry, EventRecord record)
    {
        SharedValue? fields = null;
        foreach (var group in entry.Groups)
        {
            if (!_walk.Reaches(group.Notifier))
                continue;
            fields ??= EncodeUnderLock(entry.Filter, record);
            var posted = new PostedEvent(
                group, fields, _sequence, GuardedSourceOf(record), record.Layout.IsCondition);
            for (var i = 0; i < _inboxes.Count; i++)
            {
                if (group.Members[i] > 0)
                    _inboxes[i].Post(posted);
            }
        }

        fields?.Release();
    }

    private NodeHandle GuardedSourceOf(EventRecord record) =>
        nodes.Exists(record.Source) && nodes.HasAccessRule(record.Source) ? record.Source : default;

    private static long BytesOf(SharedValue? fields)
    {
        const long BytesOfEntry = 64;
        return BytesOfEntry + (fields?.EncodedVariant.Length ?? 0);
    }

    private void DropRetainedUnderLock(FilterEntry entry)
    {
        foreach (var (_, fields) in entry.Retained)
        {
            _retainedBytes -= BytesOf(fields);
            fields?.Release();
        }

        entry.Retained.Clear();
    }

    private SharedValue EncodeUnderLock(CompiledFilter filter, EventRecord record)
    {
        _scratch.Reset();
        var writer = new UaBinaryWriter(_scratch);
        filter.WriteFields(record, ref writer, MaxFieldBytes);
        writer.Complete();
        var fields = store.MakeEncoded(_scratch.WrittenSpan, StatusCode.Good, default, default, 0);
        _scratch.Reset();
        return fields;
    }
}
