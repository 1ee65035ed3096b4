using Microsoft.Extensions.Logging;

namespace Gateway.Transport.Certificates;

/// <summary>Keeps a <see cref="TrustList"/> equal to what lies in a pair of folders: <c>trusted</c> and <c>issuer</c>,
/// each with <c>certs/</c> and <c>crl/</c>. Files may also lie in the folder itself. Any thread.</summary>
internal sealed partial class TrustFolders
{
    private const long Settled = long.MinValue;

    /// <summary>Between two looks at the files of a folder that settles, by how long the last one took.</summary>
    private const int PauseOfLooks = 10;

    private static readonly string[] Extensions = [".der", ".crt", ".cer", ".pem", ".crl"];

    /// <summary>Longer than a poll: past it a poll has seen what a folder's time may have hidden.</summary>
    private static readonly TimeSpan SettlingTime = 2 * PkiStore.PollInterval;

    private readonly Lock _lock = new();
    private readonly TimeProvider _time;
    private readonly string _trusted;
    private readonly string _issuer;
    private readonly string[] _folders;
    private readonly ILogger _logger;
    private TrustList _current = TrustList.Empty;
    private long _folderStamp;
    private long _fileStamp;

    /// <summary>Timestamp of the last change of a folder that was met; <see cref="Settled"/>: long ago.</summary>
    private long _changedAt = Settled;

    /// <summary>Timestamp before which files are not looked at again because a folder settles.</summary>
    private long _nextLook;

    public TrustFolders(string root, string trusted, string issuer, TimeProvider time, ILogger logger)
    {
        _logger = logger;
        _time = time;
        _trusted = Path.Combine(root, trusted);
        _issuer = Path.Combine(root, issuer);
        _folders =
        [
            _trusted, Path.Combine(_trusted, "certs"), Path.Combine(_trusted, "crl"),
            _issuer, Path.Combine(_issuer, "certs"), Path.Combine(_issuer, "crl"),
        ];
        foreach (var folder in _folders)
            Directory.CreateDirectory(folder);
        Refresh();
    }

    /// <summary>Raised once for each new list, on the thread that met it; not raised for the first one.</summary>
    public event Action<TrustListChange>? Changed;

    /// <summary>The list of the last scan; costs nothing.</summary>
    public TrustList Current => Volatile.Read(ref _current);

    /// <summary>Sees files that came or went, by the folders' times alone: a dozen stat calls. For verdicts that
    /// refuse, so that a certificate just trusted is accepted at the next try. A folder's time is coarse and does not
    /// move when a file that was seen empty gets its content: just after a change the files are checked, too.
    /// </summary>
    public TrustList CurrentIfFoldersChanged()
    {
        if (FolderStamp() != Volatile.Read(ref _folderStamp) ||
            (IsSettling() && _time.GetTimestamp() >= Volatile.Read(ref _nextLook)))
            Refresh();
        return Current;
    }

    /// <summary>Sees also files that were overwritten in place. True when the list is a new one.</summary>
    public bool Refresh()
    {
        TrustListChange change;
        lock (_lock)
        {
            var from = _time.GetTimestamp();
            var folderStamp = FolderStamp();
            var files = Files();
            var fileStamp = FileStamp(files);
            if (_fileStamp == 0 ? IsRecentlyWritten() : folderStamp != _folderStamp)
                Volatile.Write(ref _changedAt, _time.GetTimestamp());
            Volatile.Write(ref _folderStamp, folderStamp);
            // Thousands of channels may be checked again just after a change: not each of them looks at all files.
            var now = _time.GetTimestamp();
            Volatile.Write(ref _nextLook, now + (PauseOfLooks * (now - from)));
            if (fileStamp == _fileStamp)
                return false;
            _fileStamp = fileStamp;
            var before = _current;
            Volatile.Write(ref _current, Load(files, before.Version + 1));
            LogTrustListLoaded(_trusted, _current.Version, _current.TrustedCount);
            change = TrustListChange.Between(Path.GetFileName(_trusted), before, _current);
        }

        Changed?.Invoke(change);
        return true;
    }

    /// <summary>By monotonic time from when the change was met: the folders' own times are the wall clock's, which may
    /// jump (R28).</summary>
    private bool IsSettling()
    {
        var changedAt = Volatile.Read(ref _changedAt);
        return changedAt != Settled && _time.GetElapsedTime(changedAt) < SettlingTime;
    }

    /// <summary>For the first look, which has nothing to compare with.</summary>
    private bool IsRecentlyWritten()
    {
        var settled = _time.GetUtcNow().UtcDateTime - SettlingTime;
        return Array.Exists(_folders, folder => Directory.GetLastWriteTimeUtc(folder) > settled);
    }

    private long FolderStamp()
    {
        var stamp = default(HashCode);
        foreach (var folder in _folders)
            stamp.Add(Directory.GetLastWriteTimeUtc(folder).Ticks);
        return stamp.ToHashCode();
    }

    private List<FileInfo> Files()
    {
        var files = new List<FileInfo>();
        foreach (var folder in _folders)
        {
            var info = new DirectoryInfo(folder);
            if (info.Exists)
                files.AddRange(
                    info.EnumerateFiles().Where(IsWanted).OrderBy(file => file.Name, StringComparer.Ordinal));
        }
        return files;

        static bool IsWanted(FileInfo file) => Extensions.Contains(file.Extension, StringComparer.OrdinalIgnoreCase);
    }

    private static long FileStamp(List<FileInfo> files)
    {
        // 0 stands for "never loaded".
        var stamp = 17L;
        foreach (var file in files)
        {
            var one = HashCode.Combine(file.FullName, file.Exists ? file.Length : 0, file.LastWriteTimeUtc.Ticks);
            stamp = unchecked((stamp * 1_000_003) ^ one);
        }
        return stamp;
    }

    private TrustList Load(List<FileInfo> files, long version)
    {
        var trusted = new List<CertificateFacts>();
        var issuers = new List<CertificateFacts>();
        var revocationLists = new List<RevocationList>();
        foreach (var file in files)
        {
            var target = file.FullName.StartsWith(_trusted + Path.DirectorySeparatorChar, StringComparison.Ordinal)
                ? trusted : issuers;
            try
            {
                if (!CertificateFile.TryRead(file, target, revocationLists))
                    LogUnreadableFile(file.FullName, "it holds neither a certificate nor a revocation list");
            }
            catch (Exception error) when (error is IOException or UnauthorizedAccessException)
            {
                LogUnreadableFile(file.FullName, error.Message);
            }
        }
        return new TrustList(version, trusted, issuers, revocationLists);
    }
}
