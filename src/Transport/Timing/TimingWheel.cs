using System.Numerics;

namespace Gateway.Transport.Timing;

/// <summary>
/// The one kind of timing wheel. Shape: slots, each an intrusive list, and one bit a slot that is not empty. An entry
/// lies in the slot of its absolute due time modulo the wheel; one that is further away than a turn stays where it is
/// and is checked once a turn. Adding, removing and finding the next due time cost the same whatever the number of
/// entries. An entry is never due early, and late by less than the resolution. No lock: its owner has one
/// (<see cref="WheelTimer"/>, a shard).
/// </summary>
/// <param name="now">The wheel has worked through everything up to this time of its owner's MonotonicClock.</param>
/// <param name="resolution">Of a slot, in the clock's units.</param>
/// <param name="slots">A multiple of 64.</param>
public sealed class TimingWheel(long now, long resolution, int slots)
{
    private readonly TimerEntry?[] _heads = new TimerEntry?[slots];
    private readonly ulong[] _occupied = new ulong[slots / 64];
    private long _position = now / resolution;

    public int Count { get; private set; }

    /// <summary>A due time that has passed comes up at the next <see cref="Advance"/> that moves on.</summary>
    public void Add(TimerEntry entry)
    {
        var tick = Math.Max(_position + 1, TickOf(entry.Due));
        var slot = (int)(tick % slots);
        entry.Slot = slot;
        entry.Previous = null;
        entry.Next = _heads[slot];
        if (entry.Next is not null)
            entry.Next.Previous = entry;
        _heads[slot] = entry;
        _occupied[slot >> 6] |= 1UL << (slot & 63);
        Count++;
    }

    /// <summary>Does nothing for an entry that is not in the wheel.</summary>
    public void Remove(TimerEntry entry)
    {
        if (!entry.IsScheduled)
            return;
        var slot = entry.Slot;
        if (entry.Previous is null)
            _heads[slot] = entry.Next;
        else
            entry.Previous.Next = entry.Next;
        if (entry.Next is not null)
            entry.Next.Previous = entry.Previous;
        if (_heads[slot] is null)
            _occupied[slot >> 6] &= ~(1UL << (slot & 63));
        (entry.Slot, entry.Next, entry.Previous) = (-1, null, null);
        Count--;
    }

    /// <summary>Takes out the entries that are due by now, oldest slot first.</summary>
    public void Advance(long now, List<TimerEntry> due)
    {
        var last = now / resolution;
        var steps = Math.Min(last - _position, slots);
        for (var tick = last - steps + 1; tick <= last; tick++)
        {
            var entry = _heads[(int)(tick % slots)];
            while (entry is not null)
            {
                var next = entry.Next;
                if (TickOf(entry.Due) <= last)
                {
                    // In this order: where the list cannot grow, the entry stays.
                    due.Add(entry);
                    Remove(entry);
                }

                entry = next;
            }
        }

        _position = Math.Max(_position, last);
    }

    /// <summary>When to come back: the start of the next slot that holds something (which may turn out to be for a
    /// later turn), at most <paramref name="horizon"/> from now.</summary>
    public long NextDue(long now, long horizon)
    {
        var limit = now + horizon;
        var ticks = Math.Min(limit / resolution - _position, slots);
        for (var ahead = 1L; ahead <= ticks;)
        {
            var slot = (int)((_position + ahead) % slots);
            var bits = _occupied[slot >> 6] >> (slot & 63);
            if (bits != 0)
                return Math.Min(limit, (_position + ahead + BitOperations.TrailingZeroCount(bits)) * resolution);
            ahead += 64 - (slot & 63);
        }

        return limit;
    }

    /// <summary>Rounded up: not before the due time.</summary>
    private long TickOf(long due) => (due / resolution) + (due % resolution > 0 ? 1 : 0);
}
