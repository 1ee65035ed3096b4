namespace Gateway.Transport.Sockets;

/// <summary>Numbers for those whom events are for. Adding and removing under the owner's lock; finding on its thread,
/// without.</summary>
internal sealed class PlaceTable<T>
    where T : class, IPlaced
{
    private readonly Stack<int> _free = new();
    private T?[] _items = new T?[16];
    private uint _generation;
    private int _used = 1;

    public void Add(T item)
    {
        var place = _free.TryPop(out var free) ? free : _used++;
        if (place == _items.Length)
        {
            var grown = new T?[2 * place];
            _items.CopyTo(grown, 0);
            Volatile.Write(ref _items, grown);
        }

        item.Place = place;
        item.Generation = ++_generation;
        Volatile.Write(ref _items[place], item);
    }

    /// <summary>False: it was not there.</summary>
    public bool Remove(T item)
    {
        if (item.Place == 0)
            return false;
        _items[item.Place] = null;
        _free.Push(item.Place);
        item.Place = 0;
        return true;
    }

    /// <summary>Null: gone, or another's place by now.</summary>
    public T? Find(int place, uint generation)
    {
        var item = Volatile.Read(ref Volatile.Read(ref _items)[place]);
        return item is not null && item.Generation == generation ? item : null;
    }

    public T[] Snapshot() => [.. _items.OfType<T>()];
}
