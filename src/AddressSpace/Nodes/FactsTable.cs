using Gateway.Codec.Types;

namespace Gateway.AddressSpace.Nodes;

/// <summary>Every distinct <see cref="VariableFacts"/> once, by index. One writer, any number of readers.</summary>
internal sealed class FactsTable
{
    private readonly Dictionary<VariableFacts, int> _indices = new(new ByContent());
    private Entry[] _entries = new Entry[64];
    private int _count;

    public VariableFacts this[int index] => Volatile.Read(ref _entries)[index].Facts;

    public int GetOrAdd(in VariableFacts facts)
    {
        var key = facts with { BuiltInType = BuiltInType.Null };
        if (_indices.TryGetValue(key, out var index))
            return index;
        if (_count == _entries.Length)
        {
            var grown = new Entry[_count * 2];
            _entries.CopyTo(grown, 0);
            Volatile.Write(ref _entries, grown);
        }

        Volatile.Write(ref _entries[_count], new Entry(key));
        _indices.Add(key, _count);
        return _count++;
    }

    /// <summary>Finds the built-in type of facts that were added with a DataType that was not known yet.</summary>
    public void Resolve(Func<NodeId, BuiltInType> builtInTypeOf)
    {
        for (var i = 0; i < _count; i++)
        {
            var facts = _entries[i].Facts;
            if (facts.BuiltInType != BuiltInType.Null)
                continue;
            var type = builtInTypeOf(facts.DataType);
            if (type != BuiltInType.Null)
                Volatile.Write(ref _entries[i], new Entry(facts with { BuiltInType = type }));
        }
    }

    /// <summary>A reference, so that readers see old or new facts and never a mix.</summary>
    private sealed class Entry(VariableFacts facts)
    {
        public VariableFacts Facts { get; } = facts;
    }

    private sealed class ByContent : IEqualityComparer<VariableFacts>
    {
        public bool Equals(VariableFacts x, VariableFacts y) =>
            x with { ArrayDimensions = null } == y with { ArrayDimensions = null } &&
            (x.ArrayDimensions is null) == (y.ArrayDimensions is null) &&
            x.ArrayDimensions.AsSpan().SequenceEqual(y.ArrayDimensions);

        public int GetHashCode(VariableFacts facts) =>
            HashCode.Combine(facts.DataType, facts.ValueRank, facts.AccessLevel, facts.MinimumSamplingInterval);
    }
}
