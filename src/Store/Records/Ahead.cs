namespace Gateway.Store.Records;

/// <summary>Blocks that were read from the disk before the consumer asked. Threads: under the log's lock.</summary>
internal sealed class Ahead(BlockPool pool)
{
    private const int MaxBlocks = 2;

    private readonly Queue<Block> _blocks = new(MaxBlocks);
    private int _offset;

    public bool IsFull => _blocks.Count >= MaxBlocks;

    public void Add(Block block) => _blocks.Enqueue(block);

    /// <summary>The next record; the block keeps its reference until <see cref="Advance"/>.</summary>
    public bool TryPeek(out Block block, out int offset)
    {
        offset = _offset;
        return _blocks.TryPeek(out block!);
    }

    /// <summary>The peeked record was taken or is done with. True: a block is used up.</summary>
    public bool Advance(int size)
    {
        _offset += size;
        if (_offset < _blocks.Peek().Length)
            return false;
        pool.Release(_blocks.Dequeue());
        _offset = 0;
        return true;
    }
}
