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

    private readonly FilterCompiler _compiler = new(nodes, new EventFilterLimits());
    private readonly Lock _lock = new();
    private readonly Dictionary<byte[], FilterEntry> _filters = new(ContentComparer.Instance);
    private readonly List<EventInbox> _inboxes = [];
    private readonly NotifierWalk _walk = new(nodes);
    private readonly PooledBuffer _scratch = new(0);
    private Variant[] _results = [];
    private long _sequence;
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

    /// <summary>One more item of the shard watches.</summary>
    public EventGroup Join(CompiledFilter filter, NodeHandle notifier, EventInbox inbox)
    {
        lock (_lock)
        {
            var groups = _filters[filter.Key].Groups;
            var group = groups.Find(one => one.Notifier == notifier);
            if (group is null)
                groups.Add(group = new EventGroup(filter, notifier, _inboxes.Count));
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
            if (!Array.Exists(group.Members, static count => count > 0))
                _filters[group.Filter.Key].Groups.Remove(group);
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

    /// <summary>Events that are raised from now on reach nobody.</summary>
    public void Dispose()
    {
        lock (_lock)
        {
            _isDisposed = true;
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
            var guarded = nodes.Exists(record.Source) && nodes.HasAccessRule(record.Source) ? record.Source : default;
            var posted = new PostedEvent(group, fields, _sequence, guarded, record.Layout.IsCondition);
            for (var i = 0; i < _inboxes.Count; i++)
            {
                if (group.Members[i] > 0)
                    _inboxes[i].Post(posted);
            }
        }

        fields?.Release();
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
