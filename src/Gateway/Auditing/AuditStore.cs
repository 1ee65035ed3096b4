using System.Buffers;
using Gateway.Server.Audit.Trail;
using Gateway.Store;
using Gateway.Store.Files;

namespace Gateway.Host.Auditing;

/// <summary>
/// The audit trail on disk. A caller formats its line into a bounded queue in memory and goes on; a timer writes the
/// queue, so a process that is killed loses a quarter of a second of it. Where the disk refuses lines the queue fills,
/// further lines are counted, and a line tells how many as soon as the disk takes lines again. Threads: any appends;
/// one at a time writes. Lock order: writing → queue.
/// </summary>
internal sealed partial class AuditStore : IAuditSink, IDisposable
{
    private static readonly TimeSpan WriteDelay = TimeSpan.FromMilliseconds(250);
    private static readonly TimeSpan RetryDelay = TimeSpan.FromSeconds(2);

    /// <summary>Above it the memory of a flood is given back.</summary>
    private const int IdleQueueBytes = 64 * 1024;

    private readonly Lock _writing = new();
    private readonly Lock _queueing = new();
    private readonly AuditOptions _options;
    private readonly TimeProvider _time;
    private readonly ILogger<AuditStore> _logger;
    private readonly Func<string, IStoreFiles> _open;
    private readonly AuditLines _lines = new();
    private readonly AuditMetrics _metrics;
    private readonly ITimer _timer;
    private ArrayBufferWriter<byte> _queue = new();
    private ArrayBufferWriter<byte> _batch = new();
    private AuditFiles? _files;
    private int _batchDone;

    /// <summary>Bytes of the batch that are not written yet; under the lock of the queue.</summary>
    private int _batchLeft;
    private bool _isArmed;
    private bool _isDisposed;
    private long _lost;
    private long _untoldLost;
    private long _written;
    private long _failures;

    public AuditStore(AuditOptions options, TimeProvider time, ILogger<AuditStore> logger)
        : this(options, time, logger, DiskFiles.Open)
    {
    }

    internal AuditStore(
        AuditOptions options, TimeProvider time, ILogger<AuditStore> logger, Func<string, IStoreFiles> open)
    {
        (_options, _time, _logger, _open) = (options, time, logger, open);
        _metrics = new AuditMetrics(this);
        _timer = time.CreateTimer(
            static store => ((AuditStore)store!).WriteNow(), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
    }

    /// <summary>The answer of the disk; null: it takes lines.</summary>
    public string? Failure { get; private set; }

    /// <summary>Lines that are on disk, of this process.</summary>
    public long Written => Interlocked.Read(ref _written);

    /// <summary>Lines that found no room in the queue.</summary>
    public long Lost => Interlocked.Read(ref _lost);

    /// <summary>Writes that the disk refused.</summary>
    public long Failures => Interlocked.Read(ref _failures);

    /// <summary>Of the files.</summary>
    public long FileBytes { get; private set; }

    /// <summary>Of lines that wait for the disk.</summary>
    public int QueuedBytes
    {
        get
        {
            lock (_queueing)
                return _queue.WrittenCount + _batchLeft;
        }
    }

    /// <summary>Before anything happens: the first line says that the trail goes on here. A folder that cannot be used
    /// is tried again with the first lines.</summary>
    public void Start()
    {
        AppendOwn("Started", null, 0);
        WriteNow();
    }

    public void Append(in AuditRecord record)
    {
        bool isFirst;
        lock (_queueing)
        {
            if (_isDisposed || _queue.WrittenCount + _batchLeft >= _options.MaxQueueBytes)
            {
                _untoldLost++;
                Interlocked.Increment(ref _lost);
                return;
            }

            _lines.Write(record, _time.GetUtcNow().UtcDateTime, _queue);
            isFirst = !_isArmed;
            _isArmed = true;
        }

        if (isFirst)
            _timer.Change(WriteDelay, Timeout.InfiniteTimeSpan);
    }

    /// <summary>Writes what waits; the last line says that the trail ended in order.</summary>
    public void Dispose()
    {
        AppendOwn("Stopped", null, 0);
        lock (_queueing)
        {
            if (_isDisposed)
                return;
            _isDisposed = true;
        }

        _timer.Dispose();
        // One for lines that the disk refused, one for those behind them, one for the number of those that were lost.
        for (var i = 0; i < 3; i++)
            WriteNow();
        lock (_writing)
        {
            _files?.Dispose();
            _files = null;
            _lines.Dispose();
        }

        _metrics.Dispose();
    }

    /// <summary>Never throws: it is a timer's.</summary>
    internal void WriteNow()
    {
        bool isDone;
        lock (_writing)
        {
            TakeQueue();
            isDone = TryWrite();
        }

        lock (_queueing)
        {
            _batchLeft = _batch.WrittenCount - _batchDone;
            _isArmed = !_isDisposed && (!isDone || _queue.WrittenCount > 0 || _untoldLost > 0);
            if (!_isArmed)
                return;
        }

        _timer.Change(isDone ? WriteDelay : RetryDelay, Timeout.InfiniteTimeSpan);
    }

    private void AppendOwn(string kind, string? member, long value)
    {
        lock (_queueing)
        {
            if (!_isDisposed)
                _lines.WriteOwn(kind, member, value, _time.GetUtcNow().UtcDateTime, _queue);
        }
    }

    /// <summary>A batch that the disk has refused stays until it takes it.</summary>
    private void TakeQueue()
    {
        if (_batchDone < _batch.WrittenCount)
            return;
        lock (_queueing)
        {
            if (_untoldLost > 0 && _queue.WrittenCount < _options.MaxQueueBytes)
                TellLostUnderLock();
            (_queue, _batch) = (_batch.Capacity > IdleQueueBytes ? new ArrayBufferWriter<byte>() : _batch, _queue);
            _queue.ResetWrittenCount();
            if (_untoldLost > 0)
                TellLostUnderLock();
            (_batchDone, _batchLeft) = (0, _batch.WrittenCount);
        }
    }

    /// <summary>Behind the lines that were there when the queue was full.</summary>
    private void TellLostUnderLock()
    {
        _lines.WriteOwn("LinesLost", "lines", _untoldLost, _time.GetUtcNow().UtcDateTime, _queue);
        _untoldLost = 0;
    }

    private bool TryWrite()
    {
        if (_batchDone == _batch.WrittenCount)
            return true;
        var before = _batchDone;
        try
        {
            _files ??= OpenFiles();
            _files.Write(_batch.WrittenSpan, ref _batchDone);
            _files.Sync();
            FileBytes = _files.Bytes;
            if (Failure is not null)
                LogTakesLines(_options.Path, Lost);
            Failure = null;
            return true;
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException or StoreException)
        {
            Interlocked.Increment(ref _failures);
            if (Failure is null)
                LogRefusesLines(_options.Path, error.Message);
            Failure = error.Message;
            return false;
        }
        finally
        {
            Interlocked.Add(ref _written, _batch.WrittenSpan[before.._batchDone].Count((byte)'\n'));
        }
    }

    private AuditFiles OpenFiles()
    {
        var folder = Path.GetFullPath(_options.Path);
        MakePrivate(folder);
        var files = _open(folder);
        try
        {
            var opened = AuditFiles.Open(files, _options);
            TellState(opened);
            return opened;
        }
        catch
        {
            files.Dispose();
            throw;
        }
    }

    /// <summary>It names users and their addresses. A folder that is there keeps its rights.</summary>
    private static void MakePrivate(string folder)
    {
        if (!OperatingSystem.IsWindows() && !Directory.Exists(folder))
            Directory.CreateDirectory(
                folder, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute);
    }

    /// <summary>Once, before the first line of this process.</summary>
    private void TellState(AuditFiles files)
    {
        if (files is { TornBytes: 0, Findings.Count: 0 })
            return;
        using var lines = new AuditLines();
        var output = new ArrayBufferWriter<byte>();
        var now = _time.GetUtcNow().UtcDateTime;
        if (files.TornBytes > 0)
            lines.WriteOwn("LineTorn", "bytes", files.TornBytes, now, output);
        foreach (var (kind, member, value) in files.Findings)
        {
            LogFinding(_options.Path, kind, value, files.LastNumber);
            lines.WriteOwn(kind, member, value, now, output);
        }

        var done = 0;
        files.Write(output.WrittenSpan, ref done);
    }
}
