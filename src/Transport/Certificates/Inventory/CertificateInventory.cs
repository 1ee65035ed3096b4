using Microsoft.Extensions.Logging;

namespace Gateway.Transport.Certificates.Inventory;

/// <summary>
/// For operators: the certificates in the PKI folders, and moves between the folders. A move renames the file, so that
/// a certificate is never in both folders nor in none; then the trust lists are read at once. Nothing is kept between
/// calls: the folders are the truth. Threads: any; reads and writes files, so not on a socket's thread.
/// </summary>
public sealed partial class CertificateInventory(
    PkiStore store, CertificateValidators validators, TimeProvider time, ILogger<CertificateInventory> logger)
{
    private static readonly string[] Extensions = [".der", ".crt", ".cer", ".pem"];
    private static readonly CertificateStore[] Stores = Enum.GetValues<CertificateStore>();

    private readonly ILogger _logger = logger;

    /// <summary>One move at a time. Comes before the lock of <see cref="RejectedCertificates"/>.</summary>
    private readonly Lock _lock = new();

    /// <summary>The next page, by store and file name. Files come and go; those that stay are on one page.</summary>
    /// <param name="of">Of this store alone; null: of all.</param>
    /// <param name="behind">Empty, or the result of the page before.</param>
    /// <param name="count">Files at most.</param>
    /// <param name="into">The certificates are added to it; a file may hold several.</param>
    /// <returns>The last file, where more follow; null: this was the last page.</returns>
    public string? Read(CertificateStore? of, string behind, int count, List<CertificateEntry> into)
    {
        string? last = null;
        foreach (var (folder, file) in Files(of))
        {
            var key = KeyOf(folder, file);
            if (string.CompareOrdinal(key, behind) <= 0)
                continue;
            if (count-- == 0)
                return last;
            into.AddRange(Parse(folder, file));
            last = key;
        }

        return null;
    }

    /// <summary>In each store that has it, the gateway's own first; empty: in none.</summary>
    public IReadOnlyList<CertificateEntry> Find(string thumbprint) =>
        thumbprint.Length == 0 ? [] : FindIn(null, thumbprint);

    /// <summary>Accepted from now on.</summary>
    /// <param name="thumbprint">Of one that lies in any folder but the target.</param>
    /// <param name="asUser">Null: as what it was rejected.</param>
    /// <param name="entry">As it lies there now.</param>
    public CertificateMove Trust(string thumbprint, bool? asUser, out CertificateEntry? entry)
    {
        var result = Move(thumbprint, out entry, found =>
        {
            var isUser = asUser ?? found.Rejection?.Role == CertificatePeerRole.User;
            return isUser ? CertificateStore.TrustedUser : CertificateStore.Trusted;
        });
        if (result == CertificateMove.Done && entry is { Store: CertificateStore.Trusted })
            store.OnTrustedByOperator(entry.Thumbprint);
        return result;
    }

    /// <summary>The authority that has issued a certificate is trusted from now on, and with it all that it has issued.
    /// </summary>
    /// <param name="thumbprint">Of the issued one, in any folder.</param>
    /// <param name="entry">The authority's, as it lies there now.</param>
    public CertificateMove TrustIssuer(string thumbprint, out CertificateEntry? entry)
    {
        entry = null;
        var found = Find(thumbprint);
        if (found.Count == 0)
            return CertificateMove.Missing;
        if (CertificateFacts.TryParse(found[0].Facts.Der) is not { } issued)
            return CertificateMove.NoIssuer;
        using var certificate = issued.Certificate;
        var issuer = issued.IsSelfIssued
            ? null
            : Files(null).SelectMany(one => Parse(one.Store, one.File))
                .FirstOrDefault(one => one.IsAuthority && one.Subject.Length > 0 && HasSigned(one, issued));
        return issuer is null
            ? CertificateMove.NoIssuer
            : Trust(issuer.Thumbprint, found[0].Rejection?.Role == CertificatePeerRole.User, out entry);
    }

    private static bool HasSigned(CertificateEntry authority, CertificateFacts issued)
    {
        if (CertificateFacts.TryParse(authority.Facts.Der) is not { } facts)
            return false;
        using var certificate = facts.Certificate;
        return facts.Subject == issued.Issuer && SignatureCheck.Verify(issued.Signed, facts.Certificate);
    }

    /// <summary>No longer accepted, unless an authority that is trusted has issued it and does not revoke it.</summary>
    /// <param name="thumbprint">Of one in any folder.</param>
    /// <param name="reason">For the list, in words.</param>
    /// <param name="entry">As it lies in <c>rejected</c> now.</param>
    public CertificateMove Reject(string thumbprint, string reason, out CertificateEntry? entry) =>
        Move(thumbprint, out entry, static _ => CertificateStore.Rejected, reason);

    /// <summary>Its files are deleted, wherever they lie.</summary>
    /// <param name="thumbprint">Of one in any folder but own.</param>
    /// <param name="was">Where it lay first.</param>
    public CertificateMove Delete(string thumbprint, out CertificateEntry? was)
    {
        CertificateEntry? first = null;
        var result = Change(thumbprint, found =>
        {
            first = found[0];
            foreach (var entry in found)
                File.Delete(entry.Path);
        });
        was = first;
        return result;
    }

    private CertificateMove Move(
        string thumbprint, out CertificateEntry? entry, Func<CertificateEntry, CertificateStore> choose,
        string reason = "")
    {
        CertificateStore? target = null;
        var result = Change(thumbprint, found =>
        {
            target = choose(found[0]);
            // A copy in another folder would undo the move.
            foreach (var one in found.Where(one => one.Store != target))
                MoveFile(one, target.Value, reason);
        });
        entry = target is null ? null : FindIn(target, thumbprint).FirstOrDefault();
        return result;
    }

    /// <summary>The trust lists are read again before this returns; not under the lock, because listeners look at all
    /// channels.</summary>
    private CertificateMove Change(string thumbprint, Action<IReadOnlyList<CertificateEntry>> change)
    {
        try
        {
            lock (_lock)
            {
                var found = Find(thumbprint);
                var problem = ProblemOf(found);
                if (problem != CertificateMove.Done)
                    return problem;
                change(found);
            }

            return CertificateMove.Done;
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            LogFailed(error.Message);
            return CertificateMove.Failed;
        }
        finally
        {
            store.LookNow();
        }
    }

    private static CertificateMove ProblemOf(IReadOnlyList<CertificateEntry> found) =>
        found.Count == 0 ? CertificateMove.Missing
        : found.Any(static one => one.Store == CertificateStore.Own) ? CertificateMove.IsOwn
        : found.Any(static one => !one.IsAlone) ? CertificateMove.InBundle
        : CertificateMove.Done;

    private void MoveFile(CertificateEntry entry, CertificateStore target, string reason)
    {
        if (target == CertificateStore.Rejected)
        {
            var role = entry.Store is CertificateStore.TrustedUser or CertificateStore.IssuerUser
                ? CertificatePeerRole.User
                : CertificatePeerRole.Client;
            store.Rejected.Put(
                entry.Path, entry.Facts, new Rejection(time.GetUtcNow(), "", reason, role) { IsByOperator = true });
            return;
        }

        var name = RejectedCertificates.FileNameOf(entry.Facts);
        File.Move(entry.Path, Path.Combine(FolderOf(target), "certs", name), overwrite: true);
    }

    /// <summary>Reads all files: an operator's copy may have any name, and a copy that is overlooked keeps what a move
    /// was to take away.</summary>
    private List<CertificateEntry> FindIn(CertificateStore? of, string thumbprint) =>
    [
        .. Files(of).SelectMany(one => Parse(one.Store, one.File))
            .Where(entry => entry.Thumbprint.Equals(thumbprint, StringComparison.OrdinalIgnoreCase)),
    ];

    private IEnumerable<(CertificateStore Store, FileInfo File)> Files(CertificateStore? of) =>
        from one in Stores
        where of is null || of == one
        from file in Directories(one).Where(static folder => folder.Exists)
            .SelectMany(static folder => folder.EnumerateFiles())
            .Where(static file => Extensions.Contains(file.Extension, StringComparer.OrdinalIgnoreCase))
            .OrderBy(file => KeyOf(one, file), StringComparer.Ordinal)
        select (one, file);

    /// <summary>Files may also lie in the folder itself; the gateway's own do not.</summary>
    private DirectoryInfo[] Directories(CertificateStore of) => of == CertificateStore.Own
        ? [new DirectoryInfo(Path.Combine(FolderOf(of), "certs"))]
        : [new DirectoryInfo(FolderOf(of)), new DirectoryInfo(Path.Combine(FolderOf(of), "certs"))];

    private string FolderOf(CertificateStore of) => Path.Combine(store.Root, NameOf(of));

    private string KeyOf(CertificateStore of, FileInfo file) =>
        $"{(int)of}/{Path.GetRelativePath(FolderOf(of), file.FullName)}";

    /// <summary>The folder's name, which is also what people and lists call the store.</summary>
    public static string NameOf(CertificateStore of) =>
        char.ToLowerInvariant(of.ToString()[0]) + of.ToString()[1..];

    /// <summary>None where the file went meanwhile, or holds no certificate: then it takes no part in trust.</summary>
    private IEnumerable<CertificateEntry> Parse(CertificateStore of, FileInfo file)
    {
        var certificates = new List<CertificateFacts>();
        try
        {
            CertificateFile.TryRead(file, certificates, []);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            // The log of the trust list names files that cannot be read.
        }

        foreach (var facts in certificates)
        {
            yield return EntryOf(of, file, facts, certificates.Count == 1);
            facts.Certificate.Dispose();
        }
    }

    private CertificateEntry EntryOf(CertificateStore of, FileInfo file, CertificateFacts facts, bool isAlone)
    {
        var rejection = of == CertificateStore.Rejected ? store.Rejected.Find(facts.Thumbprint) : null;
        return new CertificateEntry
        {
            Store = of,
            File = file.Name,
            Thumbprint = facts.Thumbprint,
            Subject = facts.SubjectText,
            Issuer = facts.Certificate.Issuer,
            ApplicationUri = facts.Names.Uris.FirstOrDefault(),
            NotBefore = facts.NotBefore,
            NotAfter = facts.NotAfter,
            IsAuthority = facts.IsAuthority,
            Rejection = rejection,
            Reason = of == CertificateStore.Rejected
                ? rejection?.Last.Reason ?? validators.Clients.Explain(facts.Der)
                : null,
            WrittenAt = file.LastWriteTimeUtc,
            Path = file.FullName,
            IsAlone = isAlone,
            Facts = LeafFacts.Of(facts),
        };
    }

    [LoggerMessage(
        EventId = 1120, Level = LogLevel.Warning,
        Message = "A certificate could not be moved as an operator asked: {Reason}")]
    private partial void LogFailed(string reason);
}
