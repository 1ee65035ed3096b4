using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Gateway.Transport.Hosting;
using Microsoft.Extensions.Logging;

namespace Gateway.Transport.Certificates.Inventory;

/// <summary>For operators: new files in the PKI folders, and the revocation lists in them. The trust lists are read
/// again before a call returns. Nothing is kept between calls. Threads: any; reads and writes files, so not on a
/// socket's thread.</summary>
public sealed partial class CertificateUploads(
    PkiStore store, CertificateInventory inventory, ILogger<CertificateUploads> logger)
{
    /// <summary>Folders that take part in trust.</summary>
    private static readonly CertificateStore[] Stores =
    [
        CertificateStore.Trusted, CertificateStore.Issuer, CertificateStore.TrustedUser, CertificateStore.IssuerUser,
    ];

    private static readonly string[] Extensions = [".der", ".pem", ".crl"];

    private readonly ILogger _logger = logger;

    public static bool Takes(CertificateStore store) => Stores.Contains(store);

    /// <summary>A certificate that was rejected moves; any other gets a file of its own.</summary>
    /// <param name="content">DER or PEM of one certificate.</param>
    /// <param name="to">One that <see cref="Takes"/> says yes to.</param>
    /// <param name="entry">As it lies there now.</param>
    public CertificateMove Add(ReadOnlySpan<byte> content, CertificateStore to, out CertificateEntry? entry)
    {
        entry = null;
        if (content.IndexOf("PRIVATE KEY"u8) >= 0)
            return CertificateMove.HasKey;
        var (certificates, lists) = Parse(content);
        using var all = new CertificateBundle(certificates);
        if (certificates.Count != 1 || lists.Count > 0)
            return CertificateMove.NotOne;
        var known = inventory.Find(certificates[0].Thumbprint);
        if (known.Any(static one => one.Store == CertificateStore.Own))
            return CertificateMove.IsOwn;
        if (known.Any(static one => one.Store == CertificateStore.Rejected) &&
            to is CertificateStore.Trusted or CertificateStore.TrustedUser)
            return inventory.Trust(certificates[0].Thumbprint, to == CertificateStore.TrustedUser, out entry);
        var name = RejectedCertificates.FileNameOf(LeafFacts.Of(certificates[0]));
        if (!known.Any(one => one.Store == to) && !TryWrite(to, "certs", name, certificates[0].Der))
            return CertificateMove.Failed;
        entry = inventory.Find(certificates[0].Thumbprint).FirstOrDefault(one => one.Store == to);
        return entry is null ? CertificateMove.Failed : CertificateMove.Done;
    }

    /// <param name="content">DER or PEM of one revocation list.</param>
    /// <param name="to">One that <see cref="Takes"/> says yes to.</param>
    /// <param name="entry">As it lies there now.</param>
    public CertificateMove AddList(ReadOnlySpan<byte> content, CertificateStore to, out RevocationEntry? entry)
    {
        entry = null;
        var (certificates, lists) = Parse(content);
        using var all = new CertificateBundle(certificates);
        if (lists.Count != 1 || certificates.Count > 0)
            return CertificateMove.NotOne;
        var id = Convert.ToHexString(SHA256.HashData(content));
        var extension = content.IndexOf("-----BEGIN "u8) >= 0 ? "pem" : "crl";
        if (!TryWrite(to, "crl", $"{id}.{extension}", content))
            return CertificateMove.Failed;
        entry = ReadLists().FirstOrDefault(one => one.Id == id && one.Store == to);
        return entry is null ? CertificateMove.Failed : CertificateMove.Done;
    }

    /// <summary>By store and file name.</summary>
    public IReadOnlyList<RevocationEntry> ReadLists() =>
    [
        .. from one in Stores
           from folder in Directories(one)
           where folder.Exists
           from file in folder.EnumerateFiles().OrderBy(static file => file.Name, StringComparer.Ordinal)
           where Extensions.Contains(file.Extension, StringComparer.OrdinalIgnoreCase)
           let entry = EntryOf(one, file)
           where entry is not null
           select entry,
    ];

    /// <param name="id">Of the entry.</param>
    /// <param name="was">Where it lay.</param>
    public CertificateMove DeleteList(string id, out RevocationEntry? was)
    {
        was = null;
        try
        {
            foreach (var entry in ReadLists().Where(one => one.Id.Equals(id, StringComparison.OrdinalIgnoreCase)))
            {
                was ??= entry;
                File.Delete(entry.Path);
            }
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            LogFailed(error.Message);
            return CertificateMove.Failed;
        }

        store.LookNow();
        return was is null ? CertificateMove.Missing : CertificateMove.Done;
    }

    /// <summary>Files with a list and certificates are the operator's to look after.</summary>
    private static RevocationEntry? EntryOf(CertificateStore of, FileInfo file)
    {
        try
        {
            var content = File.ReadAllBytes(file.FullName);
            var (certificates, lists) = Parse(content);
            using var all = new CertificateBundle(certificates);
            if (lists.Count == 0 || certificates.Count > 0)
                return null;
            return new RevocationEntry
            {
                Id = Convert.ToHexString(SHA256.HashData(content)),
                Store = of,
                File = file.Name,
                Issuer = new X500DistinguishedName(Convert.FromHexString(lists[0].Issuer)).Name,
                ThisUpdate = lists[0].ThisUpdate,
                NextUpdate = lists[0].NextUpdate == DateTimeOffset.MaxValue ? null : lists[0].NextUpdate,
                Revoked = lists.Sum(static one => one.Count),
                Path = file.FullName,
            };
        }
        catch (Exception error) when (
            error is IOException or UnauthorizedAccessException or CryptographicException or FormatException)
        {
            return null;
        }
    }

    private static (List<CertificateFacts> Certificates, List<RevocationList> Lists) Parse(ReadOnlySpan<byte> content)
    {
        var (certificates, lists) = (new List<CertificateFacts>(), new List<RevocationList>());
        try
        {
            if (CertificateFile.TryRead(content.ToArray(), certificates, lists))
                return (certificates, lists);
        }
        catch (FormatException)
        {
            // Base64 that is none.
        }

        new CertificateBundle(certificates).Dispose();
        return ([], []);
    }

    private bool TryWrite(CertificateStore to, string folder, string name, ReadOnlySpan<byte> content)
    {
        try
        {
            var path = Path.Combine(store.Root, CertificateInventory.NameOf(to), folder);
            Directory.CreateDirectory(path);
            WholeFile.Write(Path.Combine(path, name), content, overwrite: true);
            return true;
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            LogFailed(error.Message);
            return false;
        }
        finally
        {
            store.LookNow();
        }
    }

    private DirectoryInfo[] Directories(CertificateStore of)
    {
        var folder = Path.Combine(store.Root, CertificateInventory.NameOf(of));
        return [new(folder), new(Path.Combine(folder, "certs")), new(Path.Combine(folder, "crl"))];
    }

    [LoggerMessage(
        EventId = 1121, Level = LogLevel.Warning,
        Message = "A file of the PKI folders could not be changed as an operator asked: {Reason}")]
    private partial void LogFailed(string reason);
}
