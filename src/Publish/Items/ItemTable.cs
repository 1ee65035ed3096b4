using System.Diagnostics.CodeAnalysis;

namespace Gateway.Publish.Items;

/// <summary>
/// The items of a subscription by id: an open hash table of eight bytes a slot, at most two thirds full. Ids count up,
/// so nearly every one lies in its own slot. Owner: the subscription, under its shard's lock.
/// </summary>
internal sealed class ItemTable
{
    private MonitoredItem?[] _slots = [];
    private int _emptied;

    public int Count { get; private set; }

    /// <summary>Those that watch events.</summary>
    public int EventCount { get; private set; }

    public void Add(uint id, MonitoredItem item)
    {
        if (IsOfEvents(item))
            EventCount++;
        if (3 * (Count + 1) > 2 * _slots.Length)
            Grow();
        Place(_slots, id, item);
        Count++;
    }

    public MonitoredItem? GetValueOrDefault(uint id) => TryGetValue(id, out var item) ? item : null;

    public bool TryGetValue(uint id, [NotNullWhen(true)] out MonitoredItem? item)
    {
        item = null;
        var slot = Find(id);
        if (slot < 0)
            return false;
        item = _slots[slot]!;
        return true;
    }

    public bool Remove(uint id, [NotNullWhen(true)] out MonitoredItem? item)
    {
        item = null;
        var gap = Find(id);
        if (gap < 0)
            return false;
        item = _slots[gap]!;
        Count--;
        if (IsOfEvents(item))
            EventCount--;
        Close(gap);
        return true;
    }

    /// <summary>Takes one after the other out of a table in which nothing is looked for any more.</summary>
    public bool TryTakeLast([NotNullWhen(true)] out MonitoredItem? item)
    {
        for (; _emptied < _slots.Length; _emptied++)
        {
            item = _slots[_emptied];
            if (item is null)
                continue;
            _slots[_emptied++] = null;
            Count--;
            if (IsOfEvents(item))
                EventCount--;
            return true;
        }

        (_slots, _emptied) = ([], 0);
        item = null;
        return false;
    }

    /// <summary>The items with gaps between them, as they are now: eight bytes an item and gap, copied in one go.
    /// </summary>
    public MonitoredItem?[] CopySlots() => [.. _slots];

    /// <summary>In no particular order; nothing is added or removed meanwhile.</summary>
    public Enumerator GetEnumerator() => new(_slots);

    private static bool IsOfEvents(MonitoredItem item) => item.ExtrasOrNull?.Event is not null;

    private static void Place(MonitoredItem?[] slots, uint id, MonitoredItem item)
    {
        var mask = slots.Length - 1;
        var slot = (int)id & mask;
        while (slots[slot] is not null)
            slot = (slot + 1) & mask;
        slots[slot] = item;
    }

    private int Find(uint id)
    {
        if (Count == 0)
            return -1;
        var mask = _slots.Length - 1;
        for (var slot = (int)id & mask; _slots[slot] is { } item; slot = (slot + 1) & mask)
        {
            if (item.Id == id)
                return slot;
        }

        return -1;
    }

    /// <summary>Moves back what lies behind the gap and was looked for across it.</summary>
    private void Close(int gap)
    {
        var mask = _slots.Length - 1;
        for (var slot = (gap + 1) & mask; _slots[slot] is { } item; slot = (slot + 1) & mask)
        {
            var wanted = (int)item.Id & mask;
            if (((slot - wanted) & mask) < ((slot - gap) & mask))
                continue;
            _slots[gap] = item;
            gap = slot;
        }

        _slots[gap] = null;
    }

    private void Grow()
    {
        var grown = new MonitoredItem?[Math.Max(2, 2 * _slots.Length)];
        foreach (var item in this)
            Place(grown, item.Id, item);
        _slots = grown;
    }

    /// <summary>For <c>foreach</c>.</summary>
    public struct Enumerator(MonitoredItem?[] slots)
    {
        private int _slot = -1;

        public readonly MonitoredItem Current => slots[_slot]!;

        public bool MoveNext()
        {
            while (++_slot < slots.Length)
            {
                if (slots[_slot] is not null)
                    return true;
            }

            return false;
        }
    }
}
