namespace Gateway.Admission.Lanes;

/// <summary>A binary heap whose entries know their places, so that any can be taken out. Owner and lock: its queue's.
/// </summary>
/// <param name="isWorstFirst">The root would be served last.</param>
internal sealed class FairHeap<T>(bool isWorstFirst)
    where T : FairEntry
{
    private readonly List<T> _entries = [];

    public int Count => _entries.Count;

    public T? First => _entries.Count > 0 ? _entries[0] : null;

    public void Add(T entry)
    {
        _entries.Add(entry);
        Index(entry) = _entries.Count - 1;
        Up(_entries.Count - 1);
    }

    public void Remove(T entry)
    {
        var index = Index(entry);
        if (index < 0)
            return;
        var last = _entries[^1];
        _entries.RemoveAt(_entries.Count - 1);
        Index(entry) = -1;
        if (ReferenceEquals(last, entry))
            return;
        _entries[index] = last;
        Index(last) = index;
        Up(index);
        Down(Index(last));
    }

    private ref int Index(T entry)
    {
        if (isWorstFirst)
            return ref entry.WorstIndex;
        return ref entry.BestIndex;
    }

    private bool IsAbove(T left, T right) => isWorstFirst ? right.IsBefore(left) : left.IsBefore(right);

    private void Up(int index)
    {
        while (index > 0)
        {
            var parent = (index - 1) / 2;
            if (!IsAbove(_entries[index], _entries[parent]))
                return;
            Swap(index, parent);
            index = parent;
        }
    }

    private void Down(int index)
    {
        while (true)
        {
            var child = (2 * index) + 1;
            if (child >= _entries.Count)
                return;
            if (child + 1 < _entries.Count && IsAbove(_entries[child + 1], _entries[child]))
                child++;
            if (!IsAbove(_entries[child], _entries[index]))
                return;
            Swap(index, child);
            index = child;
        }
    }

    private void Swap(int left, int right)
    {
        (_entries[left], _entries[right]) = (_entries[right], _entries[left]);
        Index(_entries[left]) = left;
        Index(_entries[right]) = right;
    }
}
