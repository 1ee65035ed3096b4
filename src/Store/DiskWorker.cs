using Gateway.Store.Files;
using Gateway.Store.Marks;
using Gateway.Store.Records;
using Gateway.Store.Segments;

namespace Gateway.Store;

/// <summary>
/// All that a log does with its disk, in turns: write what came, read ahead what the consumer needs, save what is done
/// with and delete its segments. Threads: the disk's alone. Errors: none leaves it; a failed write is tried again after
/// <see cref="StoreOptions.RetryInterval"/>.
/// </summary>
internal sealed class DiskWorker : IDisposable
{
    /// <summary>So that a producer that never rests does not keep the turn from its other work.</summary>
    private const int MaxWritesPerTurn = 64;

    private const int MaxReadsPerTurn = 64;

    /// <summary>After so many errors in a row the rest of a segment is given up: its bytes cannot be read. One that
    /// cannot be opened may be intact (no descriptors, no rights), and is tried until it can, or is gone.</summary>
    private const int MaxReadErrors = 10;

    private readonly StoreOptions _options;
    private readonly TimeProvider _time;
    private readonly LogBook _book;
    private readonly DiskHealth _health;
    private readonly DiskSignal _signal;
    private readonly MarksFile _marks;
    private readonly SegmentList _segments;
    private readonly SegmentWriter _writer;
    private readonly SegmentReader _reader;
    private readonly BackwardReader _backward;
    private readonly Overwriter _overwriter;
    private readonly uint _salt;
    private readonly Action _commit;
    private readonly Action _sync;
    private long _retryAt;
    private long _readAt;
    private long _syncAt;
    private long _commitAt;
    private long _saveAt;
    private long _written;
    private int _readErrors;

    public DiskWorker(
        StoreOptions options, TimeProvider time, IStoreFiles files, LogBook book, DiskHealth health,
        DiskSignal signal, MarksFile marks, SegmentList segments, uint salt)
    {
        (_options, _time, _book, _health, _signal) = (options, time, book, health, signal);
        (_marks, _segments, _salt) = (marks, segments, salt);
        _writer = new SegmentWriter(
            files, segments, salt, options.SegmentBytes, options.Fsync != FsyncPolicy.Never);
        _reader = new SegmentReader(files, segments, book.FirstUndone);
        _backward = new BackwardReader(files, segments);
        _overwriter = new Overwriter(files, book);
        (_commit, _sync) = (CommitNow, _writer.Sync);
        Rates = new LogRates(time);
        Rates.Begin(segments.TotalBytes);
        _retryAt = _readAt = _syncAt = _commitAt = _saveAt = time.GetTimestamp();
    }

    public LogRates Rates { get; }

    /// <summary>Makes both marks files while the disk may still have room.</summary>
    public void Begin() => Try(() =>
    {
        SaveMarks();
        SaveMarks();
    });

    /// <summary>How long the thread may sleep if nobody wakes it.</summary>
    public TimeSpan Sleep
    {
        get
        {
            var untilRead = _time.GetElapsedTime(_time.GetTimestamp(), _readAt);
            return untilRead > TimeSpan.Zero && untilRead < Tick ? untilRead : Tick;
        }
    }

    private TimeSpan Tick => TimeSpan.FromMilliseconds(Math.Clamp(
        Math.Min(_options.CommitInterval.TotalMilliseconds, Math.Min(
            _options.FsyncInterval.TotalMilliseconds, _options.RetryInterval.TotalMilliseconds)), 10, 250));

    public void Turn()
    {
        if (IsDue(_retryAt))
            WriteRecords();
        if (IsDue(_readAt))
            ReadAhead();
        Sync();
        if (IsDue(_commitAt) || (_book.UnsavedChanges >= _options.CommitCount && IsDue(_saveAt)))
            Commit();
    }

    /// <summary>Writes all that is in memory, whatever the intervals.</summary>
    public void Finish()
    {
        for (var before = -1L; before != _written;)
        {
            before = _written;
            WriteRecords();
        }

        _syncAt = _time.GetTimestamp();
        Sync();
        Commit();
    }

    public void Dispose()
    {
        _writer.Dispose();
        _reader.Dispose();
        _backward.Dispose();
        _marks.Dispose();
    }

    private void WriteRecords()
    {
        try
        {
            var isEach = _options.Fsync == FsyncPolicy.Each;
            var offered = _written;
            for (var writes = 0; writes < MaxWritesPerTurn && _book.TryTakeUnwritten(out var unwritten); writes++)
            {
                Write(unwritten);
                _written = unwritten.Last;
                if (!isEach)
                    _book.Offer(_written, offersAll: false);
            }

            if (_written == offered && !(isEach && _writer.IsDirty))
                return;
            if (isEach)
                _writer.Sync();
            _book.Offer(_written, offersAll: false);
            _health.WriteSucceeded();
        }
        catch (Exception e) when (IsDiskError(e))
        {
            _health.WriteFailed(e);
            _retryAt = After(_options.RetryInterval);
            _book.Offer(0, offersAll: true);
        }
    }

    private void Write(in Unwritten unwritten)
    {
        var isWritten = false;
        try
        {
            var records = unwritten.Block.Array.AsSpan(unwritten.From, unwritten.To - unwritten.From);
            for (var rest = records; rest.Length > 0;)
            {
                var header = RecordHeader.Read(rest);
                RecordHeader.Seal(rest[..header.Length], _salt);
                rest = rest[header.Size..];
            }

            while (_segments.TotalBytes + records.Length > _options.MaxBytes
                && _segments.All[0] is { } oldest && oldest != _writer.Current)
                Overwrite(oldest);
            _writer.Write(records, unwritten.First, unwritten.Last, unwritten.Ticks);
            isWritten = true;
        }
        finally
        {
            _book.Written(unwritten, isWritten);
        }
    }

    /// <summary>The marks are saved before the segment goes, so that a process that is killed between still knows the
    /// gap's times and writers.</summary>
    private void Overwrite(Segment oldest)
    {
        _overwriter.Lose(oldest);
        SaveMarks();
        Delete(oldest);
    }

    private void Delete(Segment segment)
    {
        _reader.LetGo(segment);
        _backward.LetGo(segment);
        _segments.Delete(segment);
    }

    private void ReadAhead()
    {
        var newest = 0L;
        try
        {
            var bytes = Block.Bytes;
            var reads = 0;
            for (; reads < MaxReadsPerTurn && _book.RentAhead(bytes, out newest) is { } block; reads++)
            {
                var goesOn = newest > 0 ? TryReadBack(block, newest, ref bytes) : TryReadInto(block, ref bytes);
                _readErrors = 0;
                if (!goesOn)
                    return;
            }

            if (reads == MaxReadsPerTurn)
                _signal.Set(isUrgent: true);
        }
        catch (Exception e) when (IsDiskError(e))
        {
            _health.Report(e);
            _readAt = After(_options.RetryInterval);
            var isOpen = newest > 0 ? _backward.IsOpen : _reader.IsOpen;
            if (!(isOpen || e is FileNotFoundException) || ++_readErrors < MaxReadErrors)
                return;
            _readErrors = 0;
            if (newest > 0)
                _book.Lose(GapReason.Unreadable, _backward.GiveUp(newest) + 1, newest);
            else if (!_reader.MoveOn())
                LoseUnread();
        }
    }

    /// <summary>False: enough was read for this turn.</summary>
    private bool TryReadInto(Block block, ref int bytes)
    {
        Block? filled = null;
        try
        {
            var result = _reader.Read(block.Array, out var length);
            if (result == ScanResult.NeedsRoom)
                bytes = _reader.NeededBytes;
            else if (result == ScanResult.End)
                LoseUnread();
            else if (length > 0 && Accept(block, length))
                filled = block;
        }
        finally
        {
            _book.AddAhead(filled, filled is null ? block : null, _reader.Expected);
        }

        if (filled is not null)
            bytes = Block.Bytes;
        return GoesOn(filled?.Length ?? 0);
    }

    /// <param name="bytes">That were read just now.</param>
    private bool GoesOn(long bytes)
    {
        if (bytes == 0)
            return true;
        _readAt = After(TimeSpan.FromSeconds((double)bytes / _options.MaxDrainBytesPerSecond));
        return IsDue(_readAt);
    }

    /// <summary>False: enough was read for this turn.</summary>
    private bool TryReadBack(Block block, long newest, ref int bytes)
    {
        Block? filled = null;
        try
        {
            var result = _backward.Read(newest, block.Array, out var length, out var below);
            if (result == ScanResult.NeedsRoom)
                bytes = _backward.NeededBytes;
            else if (result == ScanResult.End)
                _book.Lose(GapReason.Unreadable, below + 1, newest);
            else if (result == ScanResult.Records)
                filled = AcceptBack(block, length);
        }
        finally
        {
            _book.AddAhead(filled, filled is null ? block : null, 0);
        }

        if (filled is not null)
            bytes = Block.Bytes;
        return GoesOn(_backward.TakenBytes);
    }

    /// <summary>Numbers that are missing in a piece are not on the disk.</summary>
    private Block AcceptBack(Block block, int length)
    {
        (block.Length, block.Written, block.Last) = (length, length, 0);
        block.First = block.HeaderAt(0).Sequence;
        for (var at = 0; at < length; at += block.HeaderAt(at).Size)
        {
            var sequence = block.HeaderAt(at).Sequence;
            if (block.Last > 0 && sequence > block.Last + 1)
                _book.Lose(GapReason.Unreadable, block.Last + 1, sequence - 1);
            (block.First, block.Last) = (Math.Min(block.First, sequence), Math.Max(block.Last, sequence));
        }

        return block;
    }

    /// <summary>False: nothing in the block is new.</summary>
    private bool Accept(Block block, int length)
    {
        var expected = _reader.Expected;
        (block.Length, block.Written, block.Last) = (length, length, 0);
        for (var at = 0; at < length;)
        {
            var header = block.HeaderAt(at);
            if (header.Sequence > _reader.Expected)
                _book.Lose(GapReason.Unreadable, _reader.Expected, header.Sequence - 1);
            _reader.Pass(header.Sequence + 1);
            block.Last = Math.Max(block.Last, header.Sequence);
            at += header.Size;
        }

        block.First = block.HeaderAt(0).Sequence;
        return block.Last >= expected;
    }

    /// <summary>There is nothing more to read, but records are missing.</summary>
    private void LoseUnread()
    {
        var end = _book.UnreadBelow;
        if (end <= _reader.Expected)
            return;
        _book.Lose(GapReason.Unreadable, _reader.Expected, end - 1);
        _reader.Pass(end);
        _book.AddAhead(null, null, end);
    }

    private void Sync()
    {
        if (_options.Fsync != FsyncPolicy.Interval || !IsDue(_syncAt) || !_writer.IsDirty)
            return;
        _syncAt = After(_options.FsyncInterval);
        Try(_sync);
    }

    private void Commit()
    {
        _commitAt = After(_options.CommitInterval);
        Rates.Update(_book.Counters.Appended, _book.Counters.Acknowledged, _segments.TotalBytes);
        if (!Try(_commit))
            _saveAt = After(_options.RetryInterval);
    }

    private void CommitNow()
    {
        if (_book.UnsavedChanges > 0)
            SaveMarks();
        DeleteDone();
    }

    private void SaveMarks()
    {
        var toSave = _book.PrepareMarks(_marks, _salt);
        _marks.Save(toSave.Length, _options.Fsync != FsyncPolicy.Never);
        _book.MarksSaved(toSave);
    }

    /// <summary>The one that grows goes, too, where nothing can be written: it may be what fills the disk.</summary>
    private void DeleteDone()
    {
        for (var i = _segments.All.Count - 1; i >= 0; i--)
        {
            var segment = _segments.All[i];
            if ((segment == _writer.Current && _health.IsWriting) || !_book.IsSavedAsDone(segment.First, segment.Last))
                continue;
            if (segment == _writer.Current)
                _writer.Dispose();
            DeleteDone(segment);
        }
    }

    /// <summary>One that cannot be deleted does not keep the others.</summary>
    private void DeleteDone(Segment segment) => Try(() => Delete(segment));

    private bool Try(Action action)
    {
        try
        {
            action();
            return true;
        }
        catch (Exception e) when (IsDiskError(e))
        {
            _health.Report(e);
            return false;
        }
    }

    private bool IsDue(long timestamp) => _time.GetTimestamp() >= timestamp;

    private long After(TimeSpan delay) =>
        _time.GetTimestamp() + (long)(delay.TotalSeconds * _time.TimestampFrequency);

    private static bool IsDiskError(Exception e) =>
        e is IOException or UnauthorizedAccessException or InsufficientMemoryException;
}
