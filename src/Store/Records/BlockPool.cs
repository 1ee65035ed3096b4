using Gateway.Codec.Pooling;

namespace Gateway.Store.Records;

/// <summary>Blocks of one log. The arrays come from the process's pools, which give idle memory back. Threads: under
/// the log's lock.</summary>
/// <param name="rent">An array of that many bytes at least; <see cref="InsufficientMemoryException"/> where there is
/// none.</param>
internal sealed class BlockPool(Func<int, byte[]> rent)
{
    private const int MaxIdle = 64;

    private readonly Stack<Block> _idle = new(MaxIdle);

    /// <summary>Of all arrays that are out.</summary>
    public long RentedBytes { get; private set; }

    /// <summary>With one reference. Null: memory is short (R40).</summary>
    public Block? TryRent(int atLeastBytes)
    {
        byte[] array;
        try
        {
            array = rent(Math.Max(atLeastBytes, Block.Bytes));
        }
        catch (InsufficientMemoryException)
        {
            return null;
        }

        var block = _idle.TryPop(out var idle) ? idle : new Block();
        block.Array = array;
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
