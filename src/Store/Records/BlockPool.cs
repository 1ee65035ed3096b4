using Gateway.Codec.Pooling;

namespace Gateway.Store.Records;

/// <summary>Blocks of one log. The arrays come from the process's pools, which give idle memory back. Threads: under
/// the log's lock.</summary>
internal sealed class BlockPool
{
    private const int MaxIdle = 64;

    private readonly Stack<Block> _idle = new(MaxIdle);

    /// <summary>Of all arrays that are out.</summary>
    public long RentedBytes { get; private set; }

    /// <summary>With one reference.</summary>
    public Block Rent(int atLeastBytes)
    {
        var block = _idle.TryPop(out var idle) ? idle : new Block();
        block.Array = ByteArrays.Rent(Math.Max(atLeastBytes, Block.Bytes));
        block.References = 1;
        RentedBytes += block.Array.Length;
        return block;
    }

    public void Release(Block block)
    {
        if (--block.References > 0)
            return;
        RentedBytes -= block.Array.Length;
        ByteArrays.Return(block.Array);
        block.Reset();
        if (_idle.Count < MaxIdle)
            _idle.Push(block);
    }
}
