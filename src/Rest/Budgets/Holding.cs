using System.Net;
using Gateway.Codec.Pooling;

namespace Gateway.Rest.Budgets;

/// <summary>The bytes that one request, answer or stream has of a <see cref="ByteBudget"/>: all go back at its end.
/// Threads: any, but <see cref="Dispose"/> comes last.</summary>
/// <param name="budget">Of all of its kind.</param>
/// <param name="address">Of the client.</param>
/// <param name="countsAll">Its connection carries several at one time: their number bounds nothing.</param>
internal sealed class Holding(ByteBudget budget, IPAddress address, bool countsAll = false) : IBufferMeter, IDisposable
{
    /// <summary>A buffer up to this capacity is bounded by the number of connections: a text of 64 KiB may need it.
    /// </summary>
    public const int FreeCapacityBytes = 192 * 1024;

    private long _bytes;

    /// <summary>Counted now.</summary>
    public long Bytes => Volatile.Read(ref _bytes);

    /// <summary>The client has more than a sixth of the budget.</summary>
    public bool IsOfMuch => budget.HasMuch(address);

    /// <summary>False: there is no room for them, and they are not counted.</summary>
    public bool TryAdd(long bytes)
    {
        if (!budget.TryTake(address, bytes))
            return false;
        Interlocked.Add(ref _bytes, bytes);
        return true;
    }

    /// <summary>The same for what can be done without.</summary>
    public bool TryAddSpare(long bytes)
    {
        if (!budget.TryTakeSpare(address, bytes))
            return false;
        Interlocked.Add(ref _bytes, bytes);
        return true;
    }

    public void Remove(long bytes)
    {
        Interlocked.Add(ref _bytes, -bytes);
        budget.Return(address, bytes);
    }

    public bool TryChange(int before, int after)
    {
        var more = CountedOf(after) - CountedOf(before);
        if (more > 0)
            return TryAdd(more);
        Remove(-more);
        return true;
    }

    public void Dispose() => budget.Return(address, Interlocked.Exchange(ref _bytes, 0));

    private long CountedOf(int capacity) => countsAll || capacity > FreeCapacityBytes ? capacity : 0;
}
