namespace Gateway.Mqtt.Sessions;

/// <summary>A queue of fixed capacity. Threads: its owner's lock.</summary>
internal sealed class Ring<T>(int capacity)
{
    private readonly T[] _items = new T[capacity];
    private int _head;

    public int Count { get; private set; }

    public bool IsFull => Count == _items.Length;

    public ref T Head => ref _items[_head];

    /// <summary>There must be room.</summary>
    public void Enqueue(in T item)
    {
        _items[(_head + Count) % _items.Length] = item;
        Count++;
    }

    public void Dequeue()
    {
        _items[_head] = default!;
        _head = (_head + 1) % _items.Length;
        Count--;
    }

    /// <summary>Counted from the head.</summary>
    public ref T this[int index] => ref _items[(_head + index) % _items.Length];

    /// <summary>Those behind it move up by one.</summary>
    public void RemoveAt(int index)
    {
        for (; index < Count - 1; index++)
            this[index] = this[index + 1];
        this[index] = default!;
        Count--;
    }

    public void Clear()
    {
        while (Count > 0)
            Dequeue();
    }
}
