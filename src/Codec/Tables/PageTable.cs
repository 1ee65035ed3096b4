namespace Gateway.Codec.Tables;

/// <summary>
/// Entries that come and go and are listed page by page. An entry keeps its place for life, and pages follow the
/// places: however many others come and go between two pages, an entry that stays is on exactly one of them. A page
/// costs its entries and the free places between them; there are never more places than there were entries at one
/// time. Shape: 8 bytes a place, 4 bytes a free one. Threads: any. Adding and removing take a lock that is a leaf;
/// reading takes none.
/// </summary>
public sealed class PageTable<T>
    where T : class
{
    private const int FirstCapacity = 16;

    private readonly Lock _lock = new();
    private readonly Stack<int> _free = new();
    private T?[] _entries = new T?[FirstCapacity];
    private int _end;

    public int Count
    {
        get
        {
            lock (_lock)
                return _end - _free.Count;
        }
    }

    /// <returns>The entry's place, for <see cref="Remove"/>.</returns>
    public int Add(T entry)
    {
        lock (_lock)
        {
            if (!_free.TryPop(out var place))
            {
                place = _end++;
                if (place == _entries.Length)
                {
                    var larger = new T?[2 * place];
                    _entries.CopyTo(larger, 0);
                    Volatile.Write(ref _entries, larger);
                }
            }

            Volatile.Write(ref _entries[place], entry);
            return place;
        }
    }

    /// <summary>Does nothing where the entry is not at that place any more.</summary>
    public void Remove(int place, T entry)
    {
        lock (_lock)
        {
            if (!ReferenceEquals(_entries[place], entry))
                return;
            Volatile.Write(ref _entries[place], null);
            _free.Push(place);
        }
    }

    /// <summary>The entry at the place; null where there is none now. An entry that was removed a moment ago may be
    /// returned still.</summary>
    public T? At(int place)
    {
        var entries = Volatile.Read(ref _entries);
        return (uint)place < (uint)entries.Length ? Volatile.Read(ref entries[place]) : null;
    }

    /// <summary>The next page. An entry that was removed a moment ago may be on it still.</summary>
    /// <param name="from">0, or the result of the page before.</param>
    /// <param name="count">Entries at most.</param>
    /// <param name="into">They are added to it.</param>
    /// <returns>Where the next page begins; -1: this was the last.</returns>
    public int Read(int from, int count, List<T> into)
    {
        var entries = Volatile.Read(ref _entries);
        for (var place = Math.Max(0, from); place < entries.Length; place++)
        {
            if (Volatile.Read(ref entries[place]) is not { } entry)
                continue;
            if (count-- == 0)
                return place;
            into.Add(entry);
        }

        return -1;
    }
}
