namespace Gateway.AddressSpace.Nodes;

/// <summary>
/// The references of one node as they were when it was asked for: later additions and removals do not show, so a
/// continuation point can keep it and go on by index. Owner: the caller; it costs only the memory it looks at.
/// </summary>
public readonly struct ReferenceEnumerable
{
    private readonly NodeTable? _table;
    private readonly ulong[] _entries;
    private readonly int _start;

    internal ReferenceEnumerable(NodeTable table, ulong[] entries, int start, int count)
    {
        _table = table;
        _entries = entries;
        _start = start;
        Count = count;
    }

    public int Count { get; }

    public Reference this[int index]
    {
        get
        {
            ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual((uint)index, (uint)Count, nameof(index));
            return PackedReference.Unpack(_entries[_start + index], _table!);
        }
    }

    public Enumerator GetEnumerator() => new(this);

    /// <summary>For <c>foreach</c>.</summary>
    public struct Enumerator
    {
        private readonly ReferenceEnumerable _references;
        private int _index;

        internal Enumerator(ReferenceEnumerable references)
        {
            _references = references;
            _index = -1;
        }

        public readonly Reference Current => _references[_index];

        public bool MoveNext() => ++_index < _references.Count;
    }
}
