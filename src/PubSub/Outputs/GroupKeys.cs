using Gateway.Codec.Structures;
using Gateway.PubSub.Options;
using Gateway.PubSub.Uadp.Security;
using Gateway.Transport.Timing;
using Microsoft.Extensions.Logging;

namespace Gateway.PubSub.Outputs;

/// <summary>The keys of all groups whose messages are signed or encrypted: one reader for each file, which is looked at
/// again and again, and the nonces of all. A file is
/// looked at until the end, also when no group names it any more. Owner: the service. Threads: any.</summary>
internal sealed class GroupKeys(string noncesPath, TimeProvider time, ILoggerFactory loggers) : IDisposable
{
    private static readonly TimeSpan LookInterval = TimeSpan.FromSeconds(2);

    private readonly Lock _lock = new();
    private readonly Dictionary<string, FileSecurityKeys> _files = new(StringComparer.Ordinal);
    private readonly List<ITimer> _timers = [];
    private readonly UadpNonces _nonces = new(new NonceFile(noncesPath), time);

    /// <summary>For the writer of one group; null: its messages are not sealed.</summary>
    /// <exception cref="FormatException">The file does not hold keys.</exception>
    /// <exception cref="IOException">The file cannot be read.</exception>
    /// <exception cref="UnauthorizedAccessException">It must not be read.</exception>
    public UadpSealer? SealerOf(WriterGroupOptions group) => group.Security == MessageSecurityMode.None
        ? null
        : new UadpSealer(group.Security, FileOf(group.KeysPath), _nonces, time);

    /// <summary>Throws where <see cref="SealerOf"/> would.</summary>
    public void Check(WriterGroupOptions group) => SourceOf(group.Security, group.KeysPath);

    /// <summary>For a reader; null: its messages need not be sealed. Errors: as <see cref="SealerOf"/>.</summary>
    public ISecurityKeySource? SourceOf(MessageSecurityMode mode, string path) =>
        mode == MessageSecurityMode.None ? null : FileOf(path);

    public void Dispose()
    {
        lock (_lock)
        {
            foreach (var timer in _timers)
                timer.Dispose();
        }
    }

    private FileSecurityKeys FileOf(string path)
    {
        var whole = Path.GetFullPath(path);
        lock (_lock)
        {
            if (_files.TryGetValue(whole, out var known))
                return known;
            var file = new FileSecurityKeys(whole, loggers.CreateLogger<FileSecurityKeys>());
            _files.Add(whole, file);
            _timers.Add(Contained.Every(time, LookInterval, file.Look, log: null));
            return file;
        }
    }
}
