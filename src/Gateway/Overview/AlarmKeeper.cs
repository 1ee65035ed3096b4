using System.Text.Json;
using Gateway.AddressSpace.Nodes;
using Gateway.Events.Conditions;
using Gateway.Host.Configuration;
using Gateway.Publish;
using Gateway.Transport.Timing;

namespace Gateway.Host.Overview;

/// <summary>Keeps the gateway's own alarms over a restart: acknowledgements, comments, shelvings and branches. An alarm
/// whose cause is not found again within a minute of the start is over; upstreams have the time to connect. Threads:
/// the start, then a timer, then the end.</summary>
internal sealed partial class AlarmKeeper(
    PublishEngine publishing, NodeTable nodes, AlarmOptions options, TimeProvider time, ILogger<AlarmKeeper> logger)
    : IAsyncDisposable
{
    private const int RestsPerSave = 10;

    private static readonly TimeSpan SaveInterval = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan Grace = TimeSpan.FromMinutes(1);

    private readonly ILogger _logger = logger;
    private readonly ConditionTable _conditions = publishing.Conditions;
    private AlarmFile? _file;
    private ITimer? _timer;
    private long _saved;
    private long _startedAt;
    private long _restsUntil;
    private bool _isRestoring;
    private bool _isTold;

    /// <summary>Before the first alarm, and when the namespaces of upstreams are there.</summary>
    public void Start()
    {
        if (options.Path.Length == 0)
            return;
        _file = new AlarmFile(Path.GetFullPath(options.Path), () => nodes.Namespaces.Uris);
        if (!TryRestore(_file))
            return;
        (_saved, _startedAt) = (_conditions.Changes, time.GetTimestamp());
        _timer = Contained.Every(time, SaveInterval, Look, LogLookFailed);
    }

    public async ValueTask DisposeAsync()
    {
        if (_timer is null)
            return;
        await _timer.DisposeAsync().ConfigureAwait(false);
        Save();
    }

    /// <summary>A file that cannot be read is put aside: it may be mended. False: it can neither be read nor be put
    /// aside, and is not written over.</summary>
    private bool TryRestore(AlarmFile file)
    {
        try
        {
            _conditions.Restore(file.Read());
            return _isRestoring = true;
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException or JsonException)
        {
            try
            {
                LogUnread(file.Path, error.Message, file.PutAside());
                return true;
            }
            catch (Exception second) when (second is IOException or UnauthorizedAccessException)
            {
                LogUnusable(file.Path, error.Message, second.Message);
                return false;
            }
        }
    }

    private void Look()
    {
        var now = time.GetTimestamp();
        if (_isRestoring && time.GetElapsedTime(_startedAt, now) >= Grace)
        {
            _isRestoring = false;
            _conditions.EndRestoration("Over: the cause is not there any more after a restart");
        }

        if (now < _restsUntil)
            return;
        Save();
        // Thousands of alarms that change all the time must not take a core.
        _restsUntil = now + (RestsPerSave * (time.GetTimestamp() - now));
    }

    private void Save()
    {
        var changes = _conditions.Changes;
        if (changes == _saved)
            return;
        try
        {
            _file!.Write(_conditions.ReadKept());
            _saved = changes;
            if (_isTold)
                LogWritten(_file.Path);
            _isTold = false;
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            if (!_isTold)
                LogUnwritten(_file!.Path, error.Message);
            _isTold = true;
        }
    }

    [LoggerMessage(EventId = 5513, Level = LogLevel.Error,
        Message = "Keeping the state of alarms failed; the next try comes in a second")]
    private partial void LogLookFailed(Exception error);

    [LoggerMessage(EventId = 5514, Level = LogLevel.Warning,
        Message = "The state of alarms in {Path} cannot be read; alarms begin not acknowledged, and the file is now "
            + "{Aside}: {Reason}")]
    private partial void LogUnread(string path, string reason, string aside);

    [LoggerMessage(EventId = 5515, Level = LogLevel.Warning,
        Message = "The state of alarms cannot be written to {Path}; a restart would lose acknowledgements and comments "
            + "since: {Reason}")]
    private partial void LogUnwritten(string path, string reason);

    [LoggerMessage(EventId = 5517, Level = LogLevel.Error,
        Message = "The state of alarms in {Path} can neither be read nor put aside ({Why}); until the next start no "
            + "alarm is kept over a restart: {Reason}")]
    private partial void LogUnusable(string path, string reason, string why);

    [LoggerMessage(EventId = 5516, Level = LogLevel.Information,
        Message = "The state of alarms is written to {Path} again")]
    private partial void LogWritten(string path);
}
