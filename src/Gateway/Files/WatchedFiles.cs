using System.Security.Cryptography;
using Gateway.Transport.Timing;

namespace Gateway.Host.Files;

/// <summary>An object made of one or several files, and made anew when their content changes. Files that cannot be
/// read, or not understood, change nothing: the object made last stays. It looks at the content, because the times of a
/// file say nothing of a secret that a cluster mounts by links. Owner: the part that uses it. Threads: any.</summary>
internal sealed class WatchedFiles<T> : IDisposable
    where T : class
{
    private readonly Lock _lock = new();
    private readonly string[] _paths;
    private readonly int _maxBytes;
    private readonly Func<byte[][], T> _make;
    private readonly Action<T> _onLoaded;
    private readonly Action<Exception> _onFailed;
    private byte[] _seen;
    private string _lastProblem = string.Empty;
    private T _current;
    private ITimer? _timer;
    private long _failures;

    /// <summary>Errors: those of <see cref="Load"/>.</summary>
    /// <param name="paths">All of them are read each time.</param>
    /// <param name="maxBytes">Of one file.</param>
    /// <param name="make">Of their contents. Throws what <see cref="FileProblem.Is"/> knows.</param>
    /// <param name="onLoaded">Not called for the first one.</param>
    /// <param name="onFailed">Once for each content that is of no use.</param>
    public WatchedFiles(
        string[] paths, int maxBytes, Func<byte[][], T> make, Action<T> onLoaded, Action<Exception> onFailed)
    {
        (_paths, _maxBytes, _make, _onLoaded, _onFailed) = (paths, maxBytes, make, onLoaded, onFailed);
        var contents = Read(paths, maxBytes);
        (_seen, _current) = (HashOf(contents), make(contents));
        Clear(contents);
    }

    /// <summary>Between two looks.</summary>
    public static TimeSpan Interval { get; } = TimeSpan.FromSeconds(2);

    /// <summary>That were understood last.</summary>
    public T Current => Volatile.Read(ref _current);

    /// <summary>Contents that were of no use.</summary>
    public long Failures => Volatile.Read(ref _failures);

    /// <summary>Reads files once. Errors: what <see cref="FileProblem.Is"/> knows.</summary>
    public static T Load(string[] paths, int maxBytes, Func<byte[][], T> make) => make(Read(paths, maxBytes));

    /// <summary>Looks from then on.</summary>
    public void Start(TimeProvider time) => _timer = Contained.Every(time, Interval, Look, _onFailed);

    /// <summary>One look at the files.</summary>
    public void Look()
    {
        lock (_lock)
        {
            try
            {
                if (Find() is { } made)
                    _onLoaded(made);
                _lastProblem = string.Empty;
            }
            catch (Exception error) when (FileProblem.Is(error))
            {
                // The same problem is told once, however often it is met.
                if (error.Message == _lastProblem)
                    return;
                _lastProblem = error.Message;
                Interlocked.Increment(ref _failures);
                _onFailed(error);
            }
        }
    }

    public void Dispose() => _timer?.Dispose();

    /// <summary>Null: the content is that of the last look.</summary>
    private T? Find()
    {
        var contents = Read(_paths, _maxBytes);
        try
        {
            var hash = HashOf(contents);
            if (hash.AsSpan().SequenceEqual(_seen))
                return null;
            _seen = hash;
            var made = _make(contents);
            Volatile.Write(ref _current, made);
            return made;
        }
        finally
        {
            Clear(contents);
        }
    }

    /// <summary>One of the files may be a private key (R39).</summary>
    private static void Clear(byte[][] contents)
    {
        foreach (var content in contents)
            CryptographicOperations.ZeroMemory(content);
    }

    private static byte[][] Read(string[] paths, int maxBytes) => [.. paths.Select(path => Read(path, maxBytes))];

    private static byte[] Read(string path, int maxBytes)
    {
        using var file = new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
        if (file.Length > maxBytes)
            throw new FormatException($"it is larger than {maxBytes} bytes");
        var content = new byte[file.Length];
        file.ReadExactly(content);
        return content;
    }

    private static byte[] HashOf(byte[][] contents) => SHA256.HashData(contents.SelectMany(SHA256.HashData).ToArray());
}
