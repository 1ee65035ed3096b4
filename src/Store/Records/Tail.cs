namespace Gateway.Store.Records;

/// <summary>
/// The newest records, in memory: until they are on disk, and as long as the consumer has not read them and there is
/// room. Threads: under the log's lock.
/// <code>
/// first block ... block ... last block
///      ^ read up to here    ^ written up to here   ^ appended up to here
/// </code>
/// </summary>
internal sealed class Tail(BlockPool pool, SequenceSet done, long maxBytes, long unreadBelow)
{
    private Block? _first;
    private Block? _last;
    private Block? _reading;
    private Block? _writing;
    private int _read;

    /// <summary>Records below this number may have left memory unread: the disk has them.</summary>
    public long UnreadBelow { get; private set; } = unreadBelow;

    /// <summary>Of all blocks here.</summary>
    public long Bytes { get; private set; }

    /// <summary>Appended and not yet on disk.</summary>
    public long UnwrittenBytes { get; private set; }

    /// <summary>Sequence number; 0: none was.</summary>
    public long LastAppended { get; private set; }

    /// <summary>Of the oldest record here; null: there is none.</summary>
    public (long Sequence, long Ticks)? Oldest => _first is { } first ? (first.First, first.FirstTicks) : null;

    /// <summary>False: there is no room, because the disk has not taken enough or memory is short.</summary>
    public bool TryAppend(in RecordHeader header, ReadOnlySpan<byte> topic, ReadOnlySpan<byte> payload)
    {
        var size = header.Size;
        if ((_last is null || _last.Array.Length - _last.Length < size) && !TryAddBlock(size))
            return false;
        var block = _last!;
        if (block.Length == 0)
            (block.First, block.FirstTicks) = (header.Sequence, header.Ticks);
        block.Last = LastAppended = header.Sequence;
        var record = block.Array.AsSpan(block.Length, size);
        header.Write(record);
        topic.CopyTo(record[RecordHeader.Bytes..]);
        payload.CopyTo(record[(RecordHeader.Bytes + topic.Length)..]);
        record[header.Length..].Clear();
        block.Length += size;
        UnwrittenBytes += size;
        return true;
    }

    /// <summary>The next record that was not read.</summary>
    public bool TryPeek(out Block block, out int offset)
    {
        while (_reading is { } reading && _read == reading.Length && reading.Next is { } next)
            (_reading, _read) = (next, 0);
        (block, offset) = (_reading!, _read);
        return _reading is not null && _read < _reading.Length;
    }

    /// <summary>The peeked record is read.</summary>
    public void Advance(int size)
    {
        _read += size;
        Trim();
    }

    /// <summary>Leaves all unread blocks but the newest one to the disk, where it has them.</summary>
    /// <param name="leastBlocks">A consumer that is fewer behind gets them in order.</param>
    public void SkipToNewest(int leastBlocks)
    {
        var skipped = 0;
        for (var block = _reading; block is not null && block != _last; block = block.Next, skipped++)
        {
            if (!IsWritten(block))
                return;
        }

        if (skipped < leastBlocks)
            return;
        UnreadBelow = Math.Max(UnreadBelow, _last!.First);
        (_reading, _read) = (_last, 0);
        Trim();
    }

    /// <summary>The next bytes for the disk, whole records of one block. The caller's reference keeps it.</summary>
    public bool TryTakeUnwritten(out Block block, out int from, out int to)
    {
        while (_writing is { } writing && writing.Written == writing.Length && writing.Next is { } next)
            _writing = next;
        block = _writing!;
        (from, to) = _writing is null ? (0, 0) : (_writing.Written, _writing.Length);
        if (from == to)
            return false;
        block.References++;
        return true;
    }

    /// <summary>The disk has the block's records up to here.</summary>
    public void Written(Block block, int to)
    {
        // The records may all have been acknowledged meanwhile, so that the block left the tail.
        if (block.HasLeft || to <= block.Written)
            return;
        UnwrittenBytes -= to - block.Written;
        block.Written = to;
        Trim();
    }

    /// <summary>Gives blocks back that nobody needs: read, and on disk or done with.</summary>
    public void Trim()
    {
        while (_first is { Next: not null } first && IsRead(first) && (IsWritten(first) || IsDone(first)))
            DropFirst();
    }

    private bool TryAddBlock(int size)
    {
        var bytes = Math.Max(size, Block.Bytes);
        while (Bytes + bytes > maxBytes)
        {
            if (_first is not { } first || !(IsWritten(first) || (IsRead(first) && IsDone(first))))
                return false;
            DropFirst();
        }

        if (pool.TryRent(size) is not { } block)
            return false;
        Bytes += block.Array.Length;
        if (_last is null)
            (_first, _reading, _writing, _read) = (block, block, block, 0);
        else
            _last.Next = block;
        _last = block;
        return true;
    }

    private bool IsRead(Block block) => _reading != block || _read == block.Length;

    private static bool IsWritten(Block block) => block.Written == block.Length;

    private bool IsDone(Block block) => done.ContainsAll(block.First, block.Last);

    private void DropFirst()
    {
        var first = _first!;
        if (!IsRead(first))
            UnreadBelow = first.Last + 1;
        if (_reading == first)
            (_reading, _read) = (first.Next, 0);
        if (_writing == first)
            _writing = first.Next;
        if (_last == first)
            _last = null;
        _first = first.Next;
        Bytes -= first.Array.Length;
        UnwrittenBytes -= first.Length - first.Written;
        first.Next = null;
        first.HasLeft = true;
        pool.Release(first);
    }
}
