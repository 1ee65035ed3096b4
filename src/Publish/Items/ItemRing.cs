namespace Gateway.Publish.Items;

/// <summary>The entries of a queue of more than one: a ring that grows to its size. Owner: an <see cref="ItemQueue"/>.
/// </summary>
internal sealed class ItemRing(int size)
{
    private const int FirstLength = 4;

    private QueuedValue[] _entries = [];
    private int _head;

    public int Size { get; } = size;

    public int Count { get; private set; }

    public ref QueuedValue this[int position] => ref _entries[IndexOf(position)];

    public void Append(in QueuedValue entry)
    {
        if (Count == _entries.Length)
            Grow();
        _entries[IndexOf(Count++)] = entry;
    }

    public QueuedValue TakeFirst()
    {
        var first = _entries[_head];
        _entries[_head] = default;
        _head = IndexOf(1);
        Count--;
        return first;
    }

    public QueuedValue TakeLast()
    {
        ref var place = ref _entries[IndexOf(--Count)];
        var last = place;
        place = default;
        return last;
    }

    private int IndexOf(int position)
    {
        var index = _head + position;
        return index < _entries.Length ? index : index - _entries.Length;
    }

    private void Grow()
    {
        var grown = new QueuedValue[Math.Min(Math.Max(FirstLength, 2 * _entries.Length), Size)];
        for (var i = 0; i < Count; i++)
            grown[i] = this[i];
        _entries = grown;
        _head = 0;
    }
}
