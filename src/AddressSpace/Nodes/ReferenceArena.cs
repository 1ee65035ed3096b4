namespace Gateway.AddressSpace.Nodes;

/// <summary>
/// The packed references of all nodes. A node's references are one run of a chunk, named by eight bytes in its record:
/// <code>
/// bits 40–63 chunk   bits 24–39 offset   bits 0–23 count
/// </code>
/// One writer, any number of readers. A run grows in place up to its capacity, which follows from its count; past it,
/// and when references go, a new run is written and its name swapped, so that readers see the old or the new. A chunk
/// without a run is released; its number is never used again.
/// </summary>
internal sealed class ReferenceArena
{
    public const int MaxReferencesANode = (1 << 24) - 1;
    private const int ChunkSize = 16 * 1024;

    private volatile ulong[]?[] _chunks = [];
    private int[] _live = [];
    private int _current = -1;
    private int _free = ChunkSize;

    public ReadOnlySpan<ulong> Read(ref long name)
    {
        Locate(ref name, out var entries, out var start, out var count);
        return entries.AsSpan(start, count);
    }

    public void Locate(ref long name, out ulong[] entries, out int start, out int count)
    {
        while (true)
        {
            var run = Volatile.Read(ref name);
            count = Count(run);
            start = Offset(run);
            entries = [];
            if (count == 0)
                return;
            if (_chunks[Chunk(run)] is { } chunk)
            {
                entries = chunk;
                return;
            }
        }
    }

    public void Append(ref long name, ReadOnlySpan<ulong> added)
    {
        var run = name;
        var count = Count(run);
        if (count + added.Length > MaxReferencesANode)
            throw new InvalidOperationException("A node has at most 16 million references.");
        if (count > 0 && count + added.Length <= Capacity(count))
        {
            added.CopyTo(_chunks[Chunk(run)].AsSpan(Offset(run) + count));
            Volatile.Write(ref name, run + added.Length);
            return;
        }

        var grown = new ulong[count + added.Length];
        Read(ref name).CopyTo(grown);
        added.CopyTo(grown.AsSpan(count));
        Replace(ref name, grown);
    }

    public void Replace(ref long name, ReadOnlySpan<ulong> entries)
    {
        var old = name;
        Volatile.Write(ref name, entries.Length == 0 ? 0 : Store(entries));
        if (Count(old) > 0)
            Release(Chunk(old));
    }

    private static int Chunk(long run) => (int)(run >> 40);

    private static int Offset(long run) => (int)((run >> 24) & 0xFFFF);

    private static int Count(long run) => (int)(run & 0xFFFFFF);

    /// <summary>Small runs are exact in steps of two; large ones leave an eighth for growth. The same for every count
    /// up to it, so that a run need not store it.</summary>
    private static int Capacity(int count)
    {
        if (count <= 16)
            return (count + 1) & ~1;
        var step = 1 << (29 - System.Numerics.BitOperations.LeadingZeroCount((uint)(count - 1)));
        return (count + step - 1) / step * step;
    }

    private long Store(ReadOnlySpan<ulong> entries)
    {
        var capacity = Capacity(entries.Length);
        if (capacity > ChunkSize / 4)
        {
            var own = Open(new ulong[capacity]);
            entries.CopyTo(_chunks[own]);
            return ((long)own << 40) | (uint)entries.Length;
        }

        if (_free + capacity > ChunkSize)
        {
            var full = _current;
            _current = Open(new ulong[ChunkSize]);
            _free = 0;
            if (full >= 0 && _live[full] == 0)
                _chunks[full] = null;
        }
        else
        {
            _live[_current]++;
        }

        var offset = _free;
        entries.CopyTo(_chunks[_current].AsSpan(offset));
        _free += capacity;
        return ((long)_current << 40) | ((long)offset << 24) | (uint)entries.Length;
    }

    /// <summary>A new chunk with its first run.</summary>
    private int Open(ulong[] chunk)
    {
        var index = _chunks.Length;
        if (index >= _live.Length)
            Array.Resize(ref _live, Math.Max(16, index * 2));
        _live[index] = 1;
        _chunks = [.. _chunks, chunk];
        return index;
    }

    private void Release(int chunk)
    {
        if (--_live[chunk] == 0 && chunk != _current)
            _chunks[chunk] = null;
    }
}
