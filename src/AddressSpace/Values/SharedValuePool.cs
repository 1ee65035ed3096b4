using System.Buffers;

namespace Gateway.AddressSpace.Values;

/// <summary>
/// Idle <see cref="SharedValue"/>s. Values in use are bounded elsewhere: one current value a node, one entry a queue
/// slot of a monitored item, one a change on its way to a shard; idle ones are bounded here, and the rest goes to the
/// collector. Threads: any; one short lock.
/// </summary>
internal sealed class SharedValuePool(int maxIdle)
{
    private readonly Lock _lock = new();
    private SharedValue[] _idle = new SharedValue[Math.Min(256, maxIdle)];
    private int _count;
    private long _rented;
    private long _created;
    private long _discarded;
    private long _largeBytes;

    /// <summary>Values ever made; each value beyond the idle ones is an allocation.</summary>
    public long Created => Interlocked.Read(ref _created);

    /// <summary>Values given up because the pool was full.</summary>
    public long Discarded => Interlocked.Read(ref _discarded);

    /// <summary>Values ever given out: one an encoding.</summary>
    public long Rented
    {
        get
        {
            lock (_lock)
                return _rented;
        }
    }

    public int Idle
    {
        get
        {
            lock (_lock)
                return _count;
        }
    }

    /// <summary>Given out and not given back.</summary>
    public long Outstanding => Math.Max(0, Created - Discarded - Idle);

    /// <summary>Memory of the large values in use.</summary>
    public long LargeBytes => Interlocked.Read(ref _largeBytes);

    public void CountLarge(int bytes) => Interlocked.Add(ref _largeBytes, bytes);

    /// <summary>A value without a reference: <see cref="SharedValue.Assign"/> gives it its first.</summary>
    public SharedValue Rent()
    {
        lock (_lock)
        {
            _rented++;
            if (_count > 0)
                return _idle[--_count];
        }

        Interlocked.Increment(ref _created);
        return new SharedValue(this);
    }

    public void Return(SharedValue value)
    {
        value.Reset();
        lock (_lock)
        {
            if (_count == _idle.Length && _count < maxIdle)
                Array.Resize(ref _idle, Math.Min(2 * _count, maxIdle));
            if (_count < _idle.Length)
            {
                _idle[_count++] = value;
                return;
            }
        }

        Interlocked.Increment(ref _discarded);
    }

    public static byte[] RentBytes(int count) => ArrayPool<byte>.Shared.Rent(count);

    public static void ReturnBytes(byte[]? bytes)
    {
        if (bytes is not null)
            ArrayPool<byte>.Shared.Return(bytes);
    }
}
