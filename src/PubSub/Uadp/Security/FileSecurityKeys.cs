using System.Security.Cryptography;
using Microsoft.Extensions.Logging;

namespace Gateway.PubSub.Uadp.Security;

/// <summary>Keys of a <see cref="SecurityKeyFile"/>, read anew when its content changes. A content that is of no use
/// changes nothing: the keys before stay. A file that others than its owner may read or write is closed to them, and
/// where that cannot be done, told. Threads: any.</summary>
public sealed partial class FileSecurityKeys : ISecurityKeySource
{
    private const UnixFileMode OwnerOnly = UnixFileMode.UserRead | UnixFileMode.UserWrite;

    private const UnixFileMode Others = UnixFileMode.GroupRead | UnixFileMode.GroupWrite | UnixFileMode.OtherRead |
        UnixFileMode.OtherWrite;

    private readonly Lock _lock = new();
    private readonly string _path;
    private readonly ILogger _logger;
    private byte[] _seen;
    private SecurityKeySet _current;
    private string _lastProblem = string.Empty;
    private long _failures;

    /// <summary>Errors: IOException, UnauthorizedAccessException, FormatException.</summary>
    public FileSecurityKeys(string path, ILogger<FileSecurityKeys> logger)
    {
        (_path, _logger) = (Path.GetFullPath(path), logger);
        Protect();
        (_current, _seen) = Load();
    }

    public SecurityKeySet Current => Volatile.Read(ref _current);

    /// <summary>Contents that were of no use.</summary>
    public long Failures => Interlocked.Read(ref _failures);

    /// <summary>One look at the file; a timer calls it.</summary>
    public void Look()
    {
        lock (_lock)
        {
            try
            {
                var (keys, hash) = Load();
                _lastProblem = string.Empty;
                if (hash.AsSpan().SequenceEqual(_seen))
                    return;
                Protect();
                _seen = hash;
                Volatile.Write(ref _current, keys);
                LogLoaded(_path, keys.Keys.Count);
            }
            catch (Exception error) when (error is IOException or UnauthorizedAccessException or FormatException)
            {
                // The same problem is told once, however often it is met.
                if (error.Message == _lastProblem)
                    return;
                _lastProblem = error.Message;
                Interlocked.Increment(ref _failures);
                LogFailed(_path, error.Message);
            }
        }
    }

    private (SecurityKeySet Keys, byte[] Hash) Load()
    {
        using var file = new FileStream(_path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
        if (file.Length > SecurityKeyFile.MaxBytes)
            throw new FormatException($"it is larger than {SecurityKeyFile.MaxBytes} bytes");
        var content = new byte[file.Length];
        try
        {
            file.ReadExactly(content);
            return (SecurityKeyFile.Read(content), SHA256.HashData(content));
        }
        finally
        {
            CryptographicOperations.ZeroMemory(content);
        }
    }

    private void Protect()
    {
        try
        {
            if (OperatingSystem.IsWindows() || (File.GetUnixFileMode(_path) & Others) == 0)
                return;
            File.SetUnixFileMode(_path, OwnerOnly);
            LogProtected(_path);
        }
        catch (Exception error) when (error is UnauthorizedAccessException ||
            (error is IOException and not FileNotFoundException and not DirectoryNotFoundException))
        {
            LogUnprotected(_path);
        }
    }

    [LoggerMessage(
        EventId = 6401, Level = LogLevel.Information, Message = "PubSub keys read anew from {File}: {Count}")]
    private partial void LogLoaded(string file, int count);

    [LoggerMessage(
        EventId = 6402, Level = LogLevel.Error,
        Message = "The PubSub keys of {File} cannot be used, the ones before stay: {Problem}")]
    private partial void LogFailed(string file, string problem);

    [LoggerMessage(
        EventId = 6403, Level = LogLevel.Warning,
        Message = "Others could read the PubSub keys in {File}: closed to them")]
    private partial void LogProtected(string file);

    [LoggerMessage(
        EventId = 6404, Level = LogLevel.Warning,
        Message = "Others can read the PubSub keys in {File}, and its mode cannot be changed")]
    private partial void LogUnprotected(string file);
}
