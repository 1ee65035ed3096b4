using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Values;
using Gateway.Codec.Types;
using Gateway.Events.Model;

namespace Gateway.Events.Delivery;

/// <summary>The fields of retained notifications for refreshes: encoded once for all refreshes of one filter that are
/// under way together, within a bound of memory. It has a walk and room of its own, so that neither an event that is
/// raised nor an item that comes waits for a refresh. Threads: any; its lock is taken inside a shard's and around the
/// hub's.</summary>
internal sealed class RefreshFields(NodeTable nodes, FieldEncoder encoder) : IDisposable
{
    /// <summary>Of encoded notifications that refreshes have in common; beyond it each encodes for itself.</summary>
    private const long MaxRetainedBytes = 32 * 1024 * 1024;

    private readonly Lock _lock = new();
    private readonly NotifierWalk _walk = new(nodes);
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

    /// <summary>The caller's. Null: it does not pass the filter, or is none of the notifier's.</summary>
    public SharedValue? Encode(FilterEntry entry, NodeHandle notifier, EventRecord record, out NodeHandle guarded)
    {
        lock (_lock)
        {
            guarded = default;
            if (_isDisposed)
                return null;
            _walk.Begin(record);
            if (!_walk.Reaches(notifier))
                return null;
            guarded = GuardedSourceOf(nodes, record);
            if (!entry.Retained.TryGetValue(record, out var fields))
            {
                fields = PassesUnderLock(entry, record) ? encoder.Encode(entry.Filter, record) : null;
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

    /// <summary>A source with an access rule, which it keeps when it is removed; None: all may have its events.
    /// </summary>
    public static NodeHandle GuardedSourceOf(NodeTable nodes, EventRecord record) =>
        nodes.HasAccessRule(record.Source) ? record.Source : default;

    private static long BytesOf(SharedValue? fields)
    {
        const long BytesOfEntry = 64;
        return BytesOfEntry + (fields?.EncodedVariant.Length ?? 0);
    }

    private bool PassesUnderLock(FilterEntry entry, EventRecord record)
    {
        if (_results.Length < entry.Filter.ElementCount)
            _results = new Variant[entry.Filter.ElementCount];
        return entry.Filter.Passes(record, _results);
    }

    private void DropUnderLock(FilterEntry entry)
    {
        foreach (var (_, fields) in entry.Retained)
        {
            _retainedBytes -= BytesOf(fields);
            fields?.Release();
        }

        entry.Retained.Clear();
    }
}
