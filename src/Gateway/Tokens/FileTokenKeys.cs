using Gateway.Host.Files;

namespace Gateway.Host.Tokens;

/// <summary>Keys of <c>Jwt:KeysPath</c>, as the file is now. Errors of the constructor: what
/// <see cref="FileProblem.Is"/> knows.</summary>
internal sealed partial class FileTokenKeys : ITokenKeys, IDisposable
{
    private readonly WatchedFiles<TokenKeySet> _file;
    private readonly TokenCounters _counters;
    private readonly TimeProvider _time;
    private readonly ILogger _logger;
    private readonly string _path;

    public FileTokenKeys(
        JwtOptions options, TokenLimits limits, TokenCounters counters, TimeProvider time,
        ILogger<FileTokenKeys> logger)
    {
        (_counters, _time, _logger, _path) = (counters, time, logger, Path.GetFullPath(options.KeysPath));
        _file = new WatchedFiles<TokenKeySet>(
            [options.KeysPath], limits.MaxTokenKeysBytes, Reader(limits), OnLoaded, OnFailed);
        (counters.Keys, counters.KeysUnusable) = (_file.Current.Count, _file.Current.Unusable.Count);
        Tell(_file.Current);
    }

    public TokenKeySet Current => _file.Current;

    public static Func<byte[][], TokenKeySet> Reader(TokenLimits limits) => contents =>
        TokenKeyReader.Read(contents[0], limits.MaxTokenKeys, takesSecrets: true);

    /// <summary>Files are read at once, at their own pace.</summary>
    public ValueTask<TokenKeySet> LookAgainAsync(CancellationToken cancellationToken) => new(Current);

    public void Start() => _file.Start(_time);

    public void Dispose() => _file.Dispose();

    private void OnLoaded(TokenKeySet keys)
    {
        _counters.KeysLoaded(keys);
        LogLoaded(_path, keys.Count);
        Tell(keys);
    }

    private void Tell(TokenKeySet keys)
    {
        if (keys.Unusable is [var first, ..])
            LogUnusable(keys.Unusable.Count, _path, first);
    }

    private void OnFailed(Exception error)
    {
        _counters.KeysFailed();
        LogFailed(_path, error.Message);
    }

    [LoggerMessage(EventId = 5201, Level = LogLevel.Information, Message = "Token keys read anew from {File}: {Count}")]
    private partial void LogLoaded(string file, int count);

    [LoggerMessage(
        EventId = 5206, Level = LogLevel.Warning,
        Message = "{Count} token keys of {File} are left out, the others are used: {Problem}")]
    private partial void LogUnusable(int count, string file, string problem);

    [LoggerMessage(
        EventId = 5202, Level = LogLevel.Error,
        Message = "The token keys of {File} cannot be used, the ones before stay: {Problem}")]
    private partial void LogFailed(string file, string problem);
}
