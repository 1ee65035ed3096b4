using System.Security.Cryptography;
using Gateway.Codec.Pooling;
using Gateway.Store.Files;
using Gateway.Store.Marks;
using Gateway.Store.Records;
using Gateway.Store.Segments;
using Microsoft.Extensions.Logging;

namespace Gateway.Store;

/// <summary>
/// A bounded log on disk between a producer and one consumer. Each record that is appended is delivered at least once,
/// also by the next process, or it is in a gap. Records are offered when the system has them, in order, and from memory
/// while the consumer keeps up. A failed disk does not stop it: records then live in memory as long as they fit. No
/// call but <see cref="Open"/> waits for the disk. Threads: any; one consumer reads at a time.
/// </summary>
public sealed class StoreLog : IAsyncDisposable
{
    /// <summary>A record that waits longer is one of a backlog.</summary>
    private static readonly TimeSpan BacklogAge = TimeSpan.FromSeconds(10);

    private readonly StoreOptions _options;
    private readonly TimeProvider _time;
    private readonly IStoreFiles _files;
    private readonly AsyncSignal _readable = new();
    private readonly DiskSignal _signal = new();
    private readonly LogBook _book;
    private readonly DiskHealth _health;
    private readonly SegmentList _segments;
    private readonly DiskWorker _worker;
    private readonly DiskThread? _thread;
    private readonly StoreMetrics _metrics;
    private int _isDisposed;

    /// <param name="isStepped">A test calls <see cref="Turn"/>; there is no thread.</param>
    /// <param name="rent">The memory of its blocks; null: the process's pools.</param>
    /// <exception cref="StoreException">The directory has another version, or cannot be read.</exception>
    internal StoreLog(
        IStoreFiles files, StoreOptions options, TimeProvider time, ILogger logger, bool isStepped = false,
        Func<int, byte[]>? rent = null)
    {
        (_options, _time, _files) = (options, time, files);
        var marksFile = new MarksFile(files);
        var marks = marksFile.Load();
        var salt = marks?.Salt;
        _segments = SegmentRecovery.Recover(files, ref salt);
        var itsSalt = salt ?? (uint)RandomNumberGenerator.GetInt32(int.MaxValue);
        var (mark, next) = FindEnds(marks, _segments);
        _health = new DiskHealth(options.Directory, time, logger);
        _book = new LogBook(
            options, time, marks, mark, next, _readable, _signal, new BlockPool(rent ?? ByteArrays.Rent));
        _worker = new DiskWorker(options, time, files, _book, _health, _signal, marksFile, _segments, itsSalt);
        _worker.Begin();
        _metrics = new StoreMetrics(options.Name, this, _book.Counters, time);
        _readable.Set();
        if (!isStepped)
            _thread = new DiskThread(options, _signal, _worker, _health);
    }

    /// <summary>Lost records, the oldest gap first, until they are acknowledged; also over restarts.</summary>
    public IReadOnlyList<StoreGap> Gaps => _book.CopyGaps();

    public StoreState State
    {
        get
        {
            var (book, bytes, growth) = (_book.State(_segments.TicksOf), _segments.TotalBytes, _worker.Rates.Growth);
            return new StoreState
            {
                StoredBytes = bytes,
                MaxBytes = _options.MaxBytes,
                UnwrittenBytes = book.UnwrittenBytes,
                Records = book.Records,
                Outstanding = book.Outstanding,
                OldestTime = book.OldestTicks is { } ticks ? new DateTime(ticks, DateTimeKind.Utc) : null,
                RecordsInPerSecond = _worker.Rates.In,
                RecordsOutPerSecond = _worker.Rates.Out,
                GrowthBytesPerSecond = growth,
                UntilFull = UntilFull(_options.MaxBytes - bytes, growth, book.OldestTicks),
                Appended = _book.Counters.Appended,
                Acknowledged = _book.Counters.Acknowledged,
                Lost = _book.Counters.Lost,
                Gaps = book.Gaps,
                IsWriting = _health.IsWriting,
                DiskErrors = _health.Errors,
                LastError = _health.Last?.Message,
                LastErrorTime = _health.Last?.Time,
            };
        }
    }

    /// <param name="options">Valid (<see cref="StoreOptions.Validate"/>).</param>
    /// <param name="time">Of records, intervals and rates.</param>
    /// <param name="logger">Gets disk errors.</param>
    /// <exception cref="StoreException">The directory is in use, has another version, or cannot be read. One that can
    /// be read but not written opens.</exception>
    public static StoreLog Open(StoreOptions options, TimeProvider time, ILogger logger)
    {
        var errors = options.Validate("Store");
        if (errors.Count > 0)
            throw new ArgumentException(string.Join("; ", errors), nameof(options));
        var files = DiskFiles.Open(options.Directory);
        try
        {
            return new StoreLog(files, options, time, logger);
        }
        catch (Exception e)
        {
            files.Dispose();
            if (e is IOException or UnauthorizedAccessException)
            {
                throw new StoreException(
                    StoreFault.Unavailable, $"The store in {options.Directory} cannot be read: {e.Message}", e);
            }

            throw;
        }
    }

    /// <summary>Copies a record into the log. Never waits, never allocates in the steady state.</summary>
    /// <param name="writer">The owner's; a gap counts its records by it.</param>
    /// <param name="kind">The owner's.</param>
    /// <param name="topic">At most 65,535 bytes.</param>
    /// <param name="payload">The record's bytes.</param>
    /// <param name="sequence">0: the log is closed.</param>
    /// <returns>False: the record is lost and in a gap, or the log is closed.</returns>
    public bool TryAppend(
        ushort writer, byte kind, ReadOnlySpan<byte> topic, ReadOnlySpan<byte> payload, out long sequence) =>
        _book.TryAppend(writer, kind, topic, payload, out sequence);

    /// <summary>The next record. Each must be ended by <see cref="Acknowledge"/>, <see cref="Return"/> or
    /// <see cref="Discard"/>, in any order.</summary>
    /// <returns>False: there is none now, or <see cref="StoreOptions.MaxOutstanding"/> are in the consumer's hands.
    /// </returns>
    public bool TryRead(out StoredMessage message) => _book.TryRead(out message);

    /// <summary>Ends when <see cref="TryRead"/> is worth another call. Call it when that returned false. False: the log
    /// is closed.</summary>
    /// <exception cref="OperationCanceledException">The wait was cancelled.</exception>
    public ValueTask<bool> WaitToReadAsync(CancellationToken cancellation = default) =>
        _readable.WaitAsync(cancellation);

    /// <summary>The record was delivered. False: it was not in the consumer's hands.</summary>
    public bool Acknowledge(long sequence) => _book.Acknowledge(sequence);

    /// <summary>The record was not delivered: it comes again, before all others. False: it was not in the consumer's
    /// hands.</summary>
    public bool Return(long sequence) => _book.Return(sequence);

    /// <summary>The record can never be delivered: it becomes a gap. False: it was not in the consumer's hands.
    /// </summary>
    public bool Discard(long sequence) => _book.Discard(sequence);

    /// <summary>The gap was reported. If it has grown since, the rest of it stays.</summary>
    public void AcknowledgeGap(StoreGap gap) => _book.AcknowledgeGap(gap);

    /// <summary>Ends when the system has all records that were appended before, with
    /// <see cref="FsyncPolicy.Each"/> the disk. It waits as long as the disk fails.</summary>
    /// <exception cref="OperationCanceledException">The wait was cancelled.</exception>
    /// <exception cref="ObjectDisposedException">The log was closed, and the disk does not have them.</exception>
    public Task FlushAsync(CancellationToken cancellation = default)
    {
        var flush = _book.Flush();
        _signal.Set(isUrgent: true);
        return flush.WaitAsync(cancellation);
    }

    /// <summary>Writes what is in memory, and ends. Records that were not acknowledged come again when the directory is
    /// opened the next time.</summary>
    public async ValueTask DisposeAsync()
    {
        if (Interlocked.Exchange(ref _isDisposed, 1) != 0)
            return;
        _book.Close();
        if (_thread is not null)
            await _thread.EndAsync().ConfigureAwait(false);
        else
            _worker.Finish();
        _book.FailFlushes();
        _metrics.Dispose();
        _worker.Dispose();
        _files.Dispose();
        _signal.Dispose();
    }

    /// <summary>One turn of the disk, on the caller's thread.</summary>
    internal void Turn() => _worker.Turn();

    /// <summary>Without marks nothing is known to be done with: all records come again.</summary>
    private static (long Mark, long Next) FindEnds(MarksSnapshot? marks, SegmentList segments)
    {
        var all = segments.All;
        var mark = marks?.Mark ?? (all.Count > 0 ? all[0].First - 1 : 0);
        var next = Math.Max(marks?.Next ?? 1, mark + 1);
        return (mark, all.Count > 0 ? Math.Max(next, all[^1].Last + 1) : next);
    }

    /// <summary>Null also where the consumer keeps up: the segment that grows goes once it is full.</summary>
    private TimeSpan? UntilFull(long freeBytes, double growth, long? oldestTicks) =>
        growth >= 1 && oldestTicks is { } ticks && _time.GetUtcNow().UtcTicks - ticks > BacklogAge.Ticks
            ? TimeSpan.FromSeconds(Math.Max(0, freeBytes) / growth)
            : null;
}
