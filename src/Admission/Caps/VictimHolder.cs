using Gateway.Admission.Lanes;

namespace Gateway.Admission.Caps;

/// <summary>A holder of entries in a <see cref="VictimList{T}"/>; guarded by that list's lock.</summary>
internal sealed class VictimHolder<T>(string key)
    where T : class
{
    /// <summary>Most first; of equals the one whose oldest entry is the oldest.</summary>
    public static readonly IComparer<VictimHolder<T>> ByVictim = Comparer<VictimHolder<T>>.Create(
        static (left, right) => left.Weight != right.Weight
            ? right.Weight.CompareTo(left.Weight)
            : left.OldestOrder.CompareTo(right.OldestOrder));

    private AgeList<VictimEntry<T>> _own;

    public string Key { get; } = key;

    /// <summary>The sum of its entries'.</summary>
    public long Weight { get; private set; }

    public VictimEntry<T>? Oldest => _own.Oldest;

    private long OldestOrder => _own.Oldest?.Order ?? long.MaxValue;

    public void Add(VictimEntry<T> entry)
    {
        _own.Add(entry);
        Weight += entry.Weight;
    }

    public void Remove(VictimEntry<T> entry)
    {
        _own.Remove(entry);
        Weight -= entry.Weight;
    }
}
