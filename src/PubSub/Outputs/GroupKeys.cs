using Gateway.Codec.Structures;
using Gateway.PubSub.Options;
using Gateway.PubSub.Uadp.Security;
using Gateway.Transport.Timing;
using Microsoft.Extensions.Logging;

namespace Gateway.PubSub.Outputs;

/// <summary>The keys of all groups whose messages are signed or encrypted: one reader for each file, which is looked at
/// again and again, Security Key Services, and the nonces of all. A file is looked at until the end, also when no group
/// names it any more. Owner: the service. Threads: any.</summary>
internal sealed class GroupKeys(
    string noncesPath, TimeProvider time, ILoggerFactory loggers, IKeyServices? services = null) : IDisposable
{
    private static readonly TimeSpan LookInterval = TimeSpan.FromSeconds(2);

    private readonly Lock _lock = new();
    private readonly Dictionary<string, FileSecurityKeys> _files = new(StringComparer.Ordinal);
    private readonly List<ITimer> _timers = [];
    private readonly UadpNonces _nonces = new(new NonceFile(noncesPath), time);

    /// <summary>For one writer of a group's messages, or of a reader's probes; null: they are not sealed.</summary>
    /// <exception cref="FormatException">The file does not hold keys.</exception>
    /// <exception cref="IOException">The file cannot be read.</exception>
    /// <exception cref="UnauthorizedAccessException">It must not be read.</exception>
    public UadpSealer? SealerOf(ISealedGroup group) =>
        SourceOf(group) is { } source ? new UadpSealer(group.Security, source, _nonces, time) : null;

    /// <summary>Throws where <see cref="SealerOf"/> would.</summary>
    public void Check(ISealedGroup group) => SourceOf(group);

    /// <summary>For what comes in; null: its messages need not be sealed. Errors: as <see cref="SealerOf"/>.</summary>
    public ISecurityKeySource? SourceOf(ISealedGroup group) =>
        group.Security == MessageSecurityMode.None ? null
        : group.SecurityGroupId.Length > 0 ? services!.SourceOf(group.SecurityGroupId)
        : FileOf(group.KeysPath);

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
