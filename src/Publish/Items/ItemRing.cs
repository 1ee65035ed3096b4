namespace Gateway.Publish.Items;

/// <summary>The entries of a queue of more than one: a ring that grows with what comes, and shrinks with what leaves:
/// to a quarter where no more than an eighth is used. Between the two lie as many entries again, so a queue that goes
/// up and down a little stays as it is. Its longer arrays are of <see cref="QueueArrays"/>. Owner: an
/// <see cref="ItemQueue"/>.</summary>
internal sealed class ItemRing(int size)
{
    private const int FirstLength = 4;
    private const int FewParts = 8;
    private const int ShorterParts = 4;

    private QueuedValue[] _entries = [];
    private int _head;

    public int Size { get; } = size;

    public int Count { get; private set; }

    /// <summary>Entries that it has memory for.</summary>
    public int Capacity => _entries.Length;

    public ref QueuedValue this[int position] => ref _entries[IndexOf(position)];

    public void Append(in QueuedValue entry)
    {
        if (Count == _entries.Length)
            Resize(LongerLength());
        _entries[IndexOf(Count++)] = entry;
    }

    public QueuedValue TakeFirst()
    {
        var first = _entries[_head];
        _entries[_head] = default;
        _head = IndexOf(1);
        Count--;
        Shrink();
        return first;
    }

    public QueuedValue TakeLast()
    {
        ref var place = ref _entries[IndexOf(--Count)];
        var last = place;
        place = default;
        Shrink();
        return last;
    }

    private int IndexOf(int position)
    {
        var index = _head + position;
        return index < _entries.Length ? index : index - _entries.Length;
    }

    /// <summary>Those of <see cref="QueueArrays"/> are longer than the queue may be, where that is no power of two.
    /// </summary>
    private int LongerLength()
    {
        var longer = Math.Max(FirstLength, 2 * _entries.Length);
        return Size < QueueArrays.LeastLength ? Math.Min(longer, Size) : longer;
    }

    private void Shrink()
    {
        if (_entries.Length > QueueArrays.LeastLength && Count <= _entries.Length / FewParts)
            Resize(Math.Max(QueueArrays.LeastLength, _entries.Length / ShorterParts));
    }

    private void Resize(int length)
    {
        var old = _entries;
        var entries = length < QueueArrays.LeastLength ? new QueuedValue[length] : QueueArrays.Shared.Rent(length);
        var first = Math.Min(Count, old.Length - _head);
        Array.Copy(old, _head, entries, 0, first);
        Array.Copy(old, 0, entries, first, Count - first);
        (_entries, _head) = (entries, 0);
        if (old.Length < QueueArrays.LeastLength)
            return;
        Array.Clear(old);
        QueueArrays.Shared.Return(old);
    }
}
