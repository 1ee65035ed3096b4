using Microsoft.Extensions.Logging;

namespace Gateway.Transport.Certificates;

/// <summary>Keeps a <see cref="TrustList"/> equal to what lies in a pair of folders: <c>trusted</c> and <c>issuer</c>,
/// each with <c>certs/</c> and <c>crl/</c>. Files may also lie in the folder itself. Any thread.</summary>
internal sealed partial class TrustFolders
{
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
        if (FolderStamp() != Volatile.Read(ref _folderStamp) || IsSettling())
            Refresh();
        return Current;
    }

    /// <summary>Sees also files that were overwritten in place. True when the list is a new one.</summary>
    public bool Refresh()
    {
        TrustListChange change;
        lock (_lock)
        {
            var folderStamp = FolderStamp();
            var files = Files();
            var fileStamp = FileStamp(files);
            Volatile.Write(ref _folderStamp, folderStamp);
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

    private bool IsSettling()
    {
        var settled = _time.GetUtcNow().UtcDateTime - SettlingTime;
        foreach (var folder in _folders)
        {
            if (Directory.GetLastWriteTimeUtc(folder) > settled)
                return true;
        }
        return false;
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
