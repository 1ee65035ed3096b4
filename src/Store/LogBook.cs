using Gateway.Store.Marks;
using Gateway.Store.Records;

namespace Gateway.Store;

/// <summary>
/// The memory of a log: its records, the consumer's, and which ones are done with. One lock guards all of it; nothing
/// waits for the disk under it. A record goes this way:
/// <code>
/// append -> tail -> (written) -> offered -> in the consumer's hands -> done
///             |                                  ^
///             +- left memory unread -> disk -> read ahead
/// </code>
/// Threads: any.
/// </summary>
internal sealed class LogBook
{
    private readonly Lock _lock = new();
    private readonly StoreOptions _options;
    private readonly TimeProvider _time;
    private readonly BlockPool _pool;
    private readonly Ledger _ledger;
    private readonly SequenceSet _done;
    private readonly Hands _hands;
    private readonly Tail _tail;
    private readonly Ahead _ahead;
    private readonly NewestFirst? _newestFirst;
    private readonly FlushList _flushes = new();
    private readonly AsyncSignal _readable;
    private readonly DiskSignal _disk;
    private long _next;
    private long _offered;
    private long _readTo;
    private bool _offersAll;
    private bool _isClosed;
    private bool _isHeldBack;

    /// <param name="marks">As saved; null: nothing was.</param>
    /// <param name="mark">Records up to this one are done with at least.</param>
    /// <param name="next">Sequence number of the next record.</param>
    public LogBook(
        StoreOptions options, TimeProvider time, MarksSnapshot? marks, long mark, long next, AsyncSignal readable,
        DiskSignal disk, BlockPool pool)
    {
        (_options, _time, _readable, _disk, _pool) = (options, time, readable, disk, pool);
        (_next, _offered) = (next, next - 1);
        _ledger = new Ledger(Counters, marks, mark);
        _done = _ledger.Done;
        _readTo = _done.Mark + 1;
        _ahead = new Ahead(_pool, isBackward: options.Order == ReadOrder.NewestFirst);
        _hands = new Hands(_pool, options.MaxOutstanding);
        _tail = new Tail(_pool, _done, options.MemoryBytes, next);
        if (options.Order == ReadOrder.NewestFirst)
            _newestFirst = new NewestFirst(_done, _hands, _ahead, _tail);
    }

    public LogCounters Counters { get; } = new();

    /// <summary>The first record that a reader of the disk has to find.</summary>
    public long FirstUndone => _done.Mark + 1;

    /// <summary>Acknowledgements, gaps and losses that no marks file has.</summary>
    public long UnsavedChanges
    {
        get
        {
            lock (_lock)
                return _ledger.UnsavedChanges;
        }
    }

    public bool TryAppend(
        ushort writer, byte kind, ReadOnlySpan<byte> topic, ReadOnlySpan<byte> payload, out long sequence)
    {
        sequence = 0;
        var ticks = _time.GetUtcNow().UtcTicks;
        bool isUrgent;
        lock (_lock)
        {
            if (_isClosed)
                return false;
            sequence = _next++;
            var isTooLarge = (long)topic.Length + payload.Length > _options.MaxRecordBytes
                || topic.Length > ushort.MaxValue;
            var length = isTooLarge ? 0 : RecordHeader.Bytes + topic.Length + payload.Length;
            var header = new RecordHeader(length, sequence, ticks, writer, kind, topic.Length);
            if (isTooLarge || !_tail.TryAppend(header, topic, payload))
            {
                _ledger.Lose(
                    isTooLarge ? GapReason.TooLarge : GapReason.QueueFull, sequence, sequence, ticks, writer);
                return false;
            }

            Counters.Append();
            if (_offersAll)
            {
                // The marks file then knows of this record, so that it is in a gap if only this process ever had it.
                _ledger.Change();
                _readable.Set();
            }

            isUrgent = _tail.UnwrittenBytes >= Block.Bytes;
        }

        _disk.Set(isUrgent);
        return true;
    }

    public bool TryRead(out StoredMessage message)
    {
        lock (_lock)
        {
            message = default;
            if (_isClosed)
                return false;
            if (_hands.IsFull || HoldsTooMuch)
            {
                _isHeldBack = true;
                return false;
            }

            if (!_offersAll)
                _newestFirst?.Skip();
            var isLiveFirst = _options.Order != ReadOrder.OldestFirst && (_offersAll || !Ledger.IsCrowded(_done));
            if (!_hands.TryTakeReturned(out var block, out var offset)
                && !(isLiveFirst && TryTakeLive(out block, out offset))
                && !TryTakeAhead(out block, out offset)
                && !(!isLiveFirst && !HasUnreadOnDisk && TryTakeLive(out block, out offset)))
                return false;
            message = StoredMessage.At(block, offset);
            return true;
        }
    }

    public bool Acknowledge(long sequence)
    {
        lock (_lock)
        {
            if (!_hands.TryEnd(sequence, out _))
                return false;
            _ledger.Acknowledge(sequence);
            FinishedUnderLock();
            return true;
        }
    }

    public bool Discard(long sequence)
    {
        lock (_lock)
        {
            if (!_hands.TryEnd(sequence, out var header))
                return false;
            _ledger.Lose(GapReason.Discarded, sequence, sequence, header.Ticks, header.Writer);
            FinishedUnderLock();
            return true;
        }
    }

    public bool Return(long sequence)
    {
        lock (_lock)
        {
            if (!_hands.TryReturn(sequence))
                return false;
            _readable.Set();
            return true;
        }
    }

    public IReadOnlyList<StoreGap> CopyGaps()
    {
        lock (_lock)
            return _ledger.CopyGaps();
    }

    public void AcknowledgeGap(StoreGap gap)
    {
        lock (_lock)
            _ledger.AcknowledgeGap(gap);
    }

    public BookState State(Func<long, long?> ticksOnDisk)
    {
        lock (_lock)
        {
            var oldest = _done.Mark + 1;
            long? ticks = oldest >= _next ? null
                : _hands.TicksOf(oldest) is { } held ? held
                : _tail.Oldest is { } here && here.Sequence <= oldest ? here.Ticks
                : ticksOnDisk(oldest) ?? _tail.Oldest?.Ticks;
            return new BookState(
                _next - oldest - _done.CountAbove, _hands.Count, _tail.UnwrittenBytes, _ledger.Gaps, ticks);
        }
    }

    /// <summary>Ends when nothing that was appended before waits for the disk.</summary>
    public Task Flush()
    {
        lock (_lock)
        {
            var last = _tail.LastAppended;
            return IsKeptUnderLock(last) ? Task.CompletedTask : _flushes.Add(last);
        }
    }

    /// <summary>The disk will take nothing more.</summary>
    public void FailFlushes()
    {
        lock (_lock)
            _flushes.Fail();
    }

    /// <summary>No further record goes in or out.</summary>
    public void Close()
    {
        lock (_lock)
            _isClosed = true;
        _readable.Close();
    }

    /// <summary>The next bytes for the disk, until <see cref="Written"/>.</summary>
    public bool TryTakeUnwritten(out Unwritten unwritten)
    {
        lock (_lock)
        {
            unwritten = default;
            if (!_tail.TryTakeUnwritten(out var block, out var from, out var to))
                return false;
            var head = block.HeaderAt(from);
            unwritten = new Unwritten(block, from, to, head.Sequence, block.Last, head.Ticks);
            return true;
        }
    }

    /// <param name="isDone">The disk has it.</param>
    public void Written(in Unwritten unwritten, bool isDone)
    {
        lock (_lock)
        {
            if (isDone)
                _tail.Written(unwritten.Block, unwritten.To);
            _pool.Release(unwritten.Block);
        }
    }

    /// <summary>The consumer may have the records up to this one.</summary>
    /// <param name="offersAll">And all later ones at once, because the disk fails.</param>
    public void Offer(long upTo, bool offersAll)
    {
        lock (_lock)
        {
            (_offered, _offersAll) = (Math.Max(_offered, upTo), offersAll);
            _readable.Set();
            _flushes.End(IsKeptUnderLock(_tail.LastAppended) ? _tail.LastAppended : _offered);
        }
    }

    /// <summary>A block for records from the disk; null: none is wanted now, or memory is short.</summary>
    /// <param name="atLeastBytes">Its size.</param>
    /// <param name="newest">The record that is wanted first; 0: the next one.</param>
    public Block? RentAhead(int atLeastBytes, out long newest)
    {
        lock (_lock)
        {
            newest = _newestFirst?.Unread ?? 0;
            if (!(_newestFirst is null ? HasUnreadOnDisk : newest > 0) || _ahead.IsFull || _isClosed)
                return null;
            _isHeldBack |= HoldsTooMuch;
            return HoldsTooMuch ? null : _pool.TryRent(atLeastBytes);
        }
    }

    /// <param name="block">Of <see cref="RentAhead"/>, with records; null: none was read.</param>
    /// <param name="unused">Of <see cref="RentAhead"/>, without.</param>
    /// <param name="readTo">All records below it were read, or are lost.</param>
    public void AddAhead(Block? block, Block? unused, long readTo)
    {
        lock (_lock)
        {
            if (block is not null)
                _ahead.Add(block);
            _newestFirst?.Added(block);
            if (unused is not null)
                _pool.Release(unused);
            _readTo = Math.Max(_readTo, readTo);
            _readable.Set();
        }
    }

    /// <summary>Records below it have left memory unread.</summary>
    public long UnreadBelow
    {
        get
        {
            lock (_lock)
                return _tail.UnreadBelow;
        }
    }

    public bool IsDone(long from, long to)
    {
        lock (_lock)
            return _done.ContainsAll(from, to);
    }

    /// <summary>Of these records, those are lost that are neither done with nor in the consumer's hands.</summary>
    /// <param name="ticks">Of the records, or of now.</param>
    /// <param name="writer">Null: unknown.</param>
    public void Lose(GapReason reason, long from, long to, long? ticks = null, ushort? writer = null)
    {
        var when = ticks ?? _time.GetUtcNow().UtcTicks;
        lock (_lock)
            _ledger.LoseAllBut(_hands, reason, from, to, when, writer);
    }

    /// <summary>Writes what a marks file must hold into it.</summary>
    public MarksToSave PrepareMarks(MarksFile marks, uint salt)
    {
        lock (_lock)
            return _ledger.Prepare(marks, salt, _next);
    }

    public void MarksSaved(in MarksToSave saved)
    {
        lock (_lock)
            _ledger.Saved(saved);
    }

    /// <summary>A process that opens the directory now knows that these records are done with.</summary>
    public bool IsSavedAsDone(long from, long to)
    {
        lock (_lock)
            return _ledger.IsSavedAsDone(from, to);
    }

    private bool IsKeptUnderLock(long last) => _offered >= last || (_offersAll && _tail.UnwrittenBytes == 0);

    private bool HasUnreadOnDisk =>
        _newestFirst is null ? _readTo < _tail.UnreadBelow : _newestFirst.Unread > 0;

    /// <summary>Of blocks in the consumer's hands and those read ahead. One record may be larger than that.</summary>
    private bool HoldsTooMuch =>
        _pool.RentedBytes - _tail.Bytes > _options.MemoryBytes && _hands.Count > 0;

    private bool TryTakeLive(out Block block, out int offset)
    {
        while (_tail.TryPeek(out block, out offset))
        {
            var header = block.HeaderAt(offset);
            if (header.Sequence > _offered && !_offersAll)
                return false;
            var isNew = TryTake(header.Sequence, block, offset);
            _tail.Advance(header.Size);
            if (isNew)
                return true;
        }

        return false;
    }

    private bool TryTakeAhead(out Block block, out int offset)
    {
        if (_newestFirst?.DropOlder() == true)
            _disk.Set(isUrgent: true);
        while (_ahead.TryPeek(out block, out offset))
        {
            var header = block.HeaderAt(offset);
            var isInMemory = header.Sequence >= _tail.UnreadBelow;
            if (isInMemory && _newestFirst is null)
                return false;
            var isNew = !isInMemory && TryTake(header.Sequence, block, offset);
            if (_ahead.Advance(header.Size) && HasUnreadOnDisk)
                _disk.Set(isUrgent: true);
            if (isNew)
                return true;
        }

        return false;
    }

    /// <summary>Puts the record into the consumer's hands. False: it is there, or it is done with.</summary>
    private bool TryTake(long sequence, Block block, int offset)
    {
        if (_done.Contains(sequence) || _hands.Contains(sequence))
            return false;
        _hands.Take(sequence, block, offset);
        return true;
    }

    private void FinishedUnderLock()
    {
        _tail.Trim();
        if (_isHeldBack || _ledger.UnsavedChanges % _options.CommitCount == 0)
            _disk.Set(isUrgent: true);
        if (_isHeldBack)
            _readable.Set();
        _isHeldBack = false;
    }
}
