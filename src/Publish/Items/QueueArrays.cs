using System.Numerics;

namespace Gateway.Publish.Items;

/// <summary>The arrays of item queues that a burst has made long, by their length, powers of two. A queue gives its
/// array back while it drains (<see cref="ItemRing"/>), and the next burst finds it here, so a steady state allocates
/// nothing. <see cref="Trim"/> lets go of those that were not needed since the last time, and beyond 32 MiB none is
/// kept: the memory of a burst returns (R43). Threads: any; its lock is a leaf.</summary>
public sealed class QueueArrays
{
    /// <summary>Shorter ones stay with their queue.</summary>
    internal const int LeastLength = 16;

    /// <summary>Entries of 16 bytes.</summary>
    internal const long MaxIdleEntries = 2 * 1024 * 1024;

    private const int Lengths = 31;

    private readonly Lock _lock = new();
    private readonly Stack<QueuedValue[]>[] _shelves =
        [.. Enumerable.Range(0, Lengths).Select(static _ => new Stack<QueuedValue[]>())];

    /// <summary>The least that each shelf had since the last trim.</summary>
    private readonly int[] _unused = new int[Lengths];
    private long _idle;

    /// <summary>Of all queues in the process.</summary>
    public static QueueArrays Shared { get; } = new();

    internal long IdleEntries
    {
        get
        {
            lock (_lock)
                return _idle;
        }
    }

    /// <param name="length">A power of two, at least <see cref="LeastLength"/>.</param>
    internal QueuedValue[] Rent(int length)
    {
        var at = BitOperations.Log2((uint)length);
        lock (_lock)
        {
            if (_shelves[at].TryPop(out var array))
            {
                _idle -= length;
                _unused[at] = Math.Min(_unused[at], _shelves[at].Count);
                return array;
            }
        }

        return new QueuedValue[length];
    }

    /// <param name="array">Of <see cref="Rent"/>; its entries are empty.</param>
    internal void Return(QueuedValue[] array)
    {
        lock (_lock)
        {
            if (_idle + array.Length > MaxIdleEntries)
                return;
            _shelves[BitOperations.Log2((uint)array.Length)].Push(array);
            _idle += array.Length;
        }
    }

    /// <summary>Lets go of the arrays that were not needed since the last call.</summary>
    public void Trim()
    {
        lock (_lock)
        {
            for (var at = 0; at < Lengths; at++)
            {
                var shelf = _shelves[at];
                for (; _unused[at] > 0; _unused[at]--)
                    _idle -= shelf.Pop().Length;
                _unused[at] = shelf.Count;
            }
        }
    }
}
