namespace Gateway.Store.Records;

/// <summary>Blocks that were read from the disk before the consumer asked. Threads: under the log's lock.</summary>
/// <param name="pool">Takes used blocks back.</param>
/// <param name="isBackward">The last record of a block comes first.</param>
internal sealed class Ahead(BlockPool pool, bool isBackward)
{
    private const int MaxBlocks = 2;

    private readonly Queue<Block> _blocks = new(MaxBlocks);
    private readonly List<int> _offsets = [];
    private int _offset;

    public bool IsFull => _blocks.Count >= MaxBlocks;

    public void Add(Block block) => _blocks.Enqueue(block);

    /// <summary>The next record; the block keeps its reference until <see cref="Advance"/>.</summary>
    public bool TryPeek(out Block block, out int offset)
    {
        var isThere = _blocks.TryPeek(out block!);
        if (isThere && isBackward && _offsets.Count == 0)
            FindOffsets(block);
        offset = isThere && isBackward ? _offsets[^1] : _offset;
        return isThere;
    }

    /// <summary>The last record of the first block; 0: there is none.</summary>
    public long Newest => _blocks.TryPeek(out var block) ? block.Last : 0;

    /// <summary>Gives all blocks back: what was not taken of them can be read again.</summary>
    public void Clear()
    {
        while (_blocks.TryDequeue(out var block))
            pool.Release(block);
        _offsets.Clear();
        _offset = 0;
    }

    /// <summary>Below this number, the first that is in no block; the number itself where it is in none.</summary>
    public long Below(long sequence)
    {
        foreach (var block in _blocks)
        {
            if (block.First <= sequence && sequence <= block.Last)
                return block.First - 1;
        }

        return sequence;
    }

    /// <summary>The peeked record was taken or is done with. True: a block is used up.</summary>
    public bool Advance(int size)
    {
        if (isBackward)
        {
            _offsets.RemoveAt(_offsets.Count - 1);
            if (_offsets.Count > 0)
                return false;
            pool.Release(_blocks.Dequeue());
            return true;
        }

        _offset += size;
        if (_offset < _blocks.Peek().Length)
            return false;
        pool.Release(_blocks.Dequeue());
        _offset = 0;
        return true;
    }

    private void FindOffsets(Block block)
    {
        for (var at = 0; at < block.Length; at += block.HeaderAt(at).Size)
            _offsets.Add(at);
    }
}
