using System.Numerics;
using Gateway.Codec.Types;

namespace Gateway.AddressSpace.Nodes;

/// <summary>
/// NodeId → record, four bytes a slot: an open hash table of record indices that compares with the records themselves.
/// One writer, any number of readers; a slot is written after its record, and a bigger table is put in place whole. A
/// removed node keeps its slot until the same NodeId comes again or the table grows.
/// </summary>
internal sealed class NodeIndex(NodeRecords records)
{
    private const int SmallestSize = 1024;

    private int[] _slots = new int[SmallestSize];
    private int _used;

    /// <summary>The live record with this id; 0 when there is none.</summary>
    public int Find(in NodeId id)
    {
        var index = FindAny(id);
        return index != 0 && records[index].IsLive ? index : 0;
    }

    /// <summary>Also a record that is still being added or was removed.</summary>
    public int FindAny(in NodeId id)
    {
        var slots = Volatile.Read(ref _slots);
        var mask = slots.Length - 1;
        for (var i = id.GetHashCode() & mask; ; i = (i + 1) & mask)
        {
            var index = Volatile.Read(ref slots[i]);
            if (index == 0 || records[index].HasId(id))
                return index;
        }
    }

    /// <summary>Points the id of a record to it, instead of the removed node that had it before.</summary>
    public void Put(in NodeId id, int index)
    {
        var mask = _slots.Length - 1;
        var i = id.GetHashCode() & mask;
        while (_slots[i] != 0 && !records[_slots[i]].HasId(id))
            i = (i + 1) & mask;
        if (_slots[i] == 0)
            _used++;
        Volatile.Write(ref _slots[i], index);
    }

    /// <summary>Makes room for more ids: at most two thirds of the slots are ever in use.</summary>
    public void Reserve(int count)
    {
        var needed = (_used + count) * 3L / 2;
        if (needed <= _slots.Length)
            return;
        var old = _slots;
        var slots = new int[BitOperations.RoundUpToPowerOf2((uint)needed)];
        var used = 0;
        foreach (var index in old)
        {
            if (index == 0 || (records[index].Flags & NodeRecord.Removed) != 0)
                continue;
            var i = records[index].NodeId.GetHashCode() & (slots.Length - 1);
            while (slots[i] != 0)
                i = (i + 1) & (slots.Length - 1);
            slots[i] = index;
            used++;
        }

        _used = used;
        Volatile.Write(ref _slots, slots);
    }
}
