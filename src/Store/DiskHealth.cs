using Microsoft.Extensions.Logging;

namespace Gateway.Store;

/// <summary>Errors of a log's disk. Threads: the disk's writes, any reads.</summary>
internal sealed partial class DiskHealth(string directory, TimeProvider time, ILogger logger)
{
    private long _errors;
    private volatile DiskError? _last;
    private volatile bool _isWriting = true;
    private string? _logged;

    public long Errors => Volatile.Read(ref _errors);

    public DiskError? Last => _last;

    /// <summary>False: records do not reach the disk now.</summary>
    public bool IsWriting => _isWriting;

    /// <summary>An error that ends no service of the log.</summary>
    public void Report(Exception error)
    {
        Volatile.Write(ref _errors, _errors + 1);
        _last = new DiskError(error.Message, time.GetUtcNow().UtcDateTime);
        if (_logged == error.Message)
            return;
        _logged = error.Message;
        LogError(logger, directory, error.Message);
    }

    public void WriteFailed(Exception error)
    {
        _isWriting = false;
        Report(error);
    }

    public void WriteSucceeded()
    {
        if (_isWriting)
            return;
        (_isWriting, _logged) = (true, null);
        LogRecovered(logger, directory);
    }

    [LoggerMessage(
        EventId = 7001, Level = LogLevel.Error,
        Message = "The store in {Directory} has a disk error: {Error}")]
    private static partial void LogError(ILogger logger, string directory, string error);

    [LoggerMessage(
        EventId = 7002, Level = LogLevel.Information,
        Message = "The store in {Directory} writes to the disk again.")]
    private static partial void LogRecovered(ILogger logger, string directory);
}
