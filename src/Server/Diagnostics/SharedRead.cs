using Gateway.Codec.Types;

namespace Gateway.Server.Diagnostics;

/// <summary>
/// A value that is expensive to compute. The thread pool computes one at a time, and all readers that ask meanwhile or
/// soon after share it. The reuse time grows with the value's size, so that readers in a loop take only a small share
/// of a core. A weak reference holds the value: the garbage collector may free it when no reader uses it. Any thread.
/// </summary>
internal sealed class SharedRead(Func<ExtensionObject[]> make, TimeProvider clock)
{
    /// <summary>A few times the cost of an entry.</summary>
    private static readonly TimeSpan ReuseForEachEntry = TimeSpan.FromMicroseconds(20);

    private readonly Lock _lock = new();
    private readonly WeakReference<object> _last = new(string.Empty);
    private TimeSpan _reuse;
    private long _madeAt;
    private Task<DataValue>? _running;

    public bool TryGet(out DataValue value)
    {
        lock (_lock)
        {
            if (clock.GetElapsedTime(_madeAt) < _reuse && _last.TryGetTarget(out var made))
            {
                value = (DataValue)made;
                return true;
            }
        }

        value = default;
        return false;
    }

    public Task<DataValue> GetAsync()
    {
        lock (_lock)
            return _running ??= Task.Run(Make);
    }

    private DataValue Make()
    {
        try
        {
            var entries = make();
            var now = clock.GetUtcNow().UtcDateTime;
            var value = new DataValue(
                Variant.FromArray(BuiltInType.ExtensionObject, entries), StatusCode.Good, now, now);
            lock (_lock)
            {
                _last.SetTarget(value);
                _reuse = entries.Length * ReuseForEachEntry;
                _madeAt = clock.GetTimestamp();
            }

            return value;
        }
        finally
        {
            lock (_lock)
                _running = null;
        }
    }
}
