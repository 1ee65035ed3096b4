using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Gateway.Transport.Hosting;
using Microsoft.Extensions.Logging;

namespace Gateway.Transport.Certificates.Inventory;

/// <summary>
/// For operators: a new certificate of the gateway's own, made here or signed by an authority. It is in force for new
/// connections when the call returns; the files before it go to <c>own/replaced</c>. A change that fails leaves the
/// files as they were. Threads: any; reads and writes files, so not on a socket's thread.
/// </summary>
public sealed partial class OwnCertificateRenewal(
    PkiStore store, OwnCertificate own, OwnCertificateReload reload, ApplicationCertificateOptions options,
    ILogger<OwnCertificateRenewal> logger)
{
    /// <summary>Files in <c>own/replaced</c>: an operator may want to go back to the last ones, and nobody to the
    /// first.</summary>
    private const int MaxReplacedFiles = 100;

    private const UnixFileMode OwnerOnly = UnixFileMode.UserRead | UnixFileMode.UserWrite;

    private readonly Lock _lock = new();
    private readonly ILogger _logger = logger;

    private string Certificates => Path.Combine(store.Root, "own", "certs");

    private string Keys => Path.Combine(store.Root, "own", "private");

    private string Replaced => Path.Combine(store.Root, "own", "replaced");

    /// <summary>With a key of its own, signed by itself. Clients have to trust it anew.</summary>
    /// <param name="made">Null unless it is done.</param>
    public OwnCertificateResult MakeNew(out X509Certificate2? made)
    {
        X509Certificate2? certificate = null;
        var result = Change(() =>
        {
            using var key = RSA.Create(2048);
            certificate = SelfSignedCertificate.Create(key, options with { ApplicationUri = own.ApplicationUri },
                store.TimeProvider.GetUtcNow());
            // The key first: a certificate without its key would stop the next start.
            var name = RejectedCertificates.FileNameOf(LeafOf(certificate.RawData));
            var keyFile = Path.Combine(Keys, Path.ChangeExtension(name, ".pem"));
            WholeFile.Write(
                keyFile, System.Text.Encoding.ASCII.GetBytes(key.ExportPkcs8PrivateKeyPem()), mode: OwnerOnly);
            try
            {
                Replace(Path.Combine(Certificates, name), certificate.RawData);
            }
            catch (Exception error) when (error is IOException or UnauthorizedAccessException)
            {
                File.Delete(keyFile);
                throw;
            }

            if (!reload.Apply())
                return OwnCertificateResult.AtNextStart;
            PutAway(Keys, keyFile);
            return OwnCertificateResult.Done;
        });
        made = IsKept(result) ? certificate : null;
        if (made is null)
            certificate?.Dispose();
        return result;
    }

    /// <summary>A signing request with the present key, in PEM. Source: RFC 2986.</summary>
    public string MakeRequest()
    {
        var current = own.Current;
        var request = new CertificateRequest(
            current.Certificate.SubjectName, current.PrivateKey, HashAlgorithmName.SHA256,
            RSASignaturePadding.Pkcs1);
        foreach (var extension in current.Certificate.Extensions)
        {
            // The identifiers of issuer and key are the authority's to set.
            if (extension is X509SubjectAlternativeNameExtension or X509KeyUsageExtension
                or X509EnhancedKeyUsageExtension)
                request.CertificateExtensions.Add(extension);
        }

        return request.CreateSigningRequestPem();
    }

    /// <summary>Takes what an authority has made of the request.</summary>
    /// <param name="content">DER or PEM: the certificate, and the authorities above it.</param>
    /// <param name="taken">Null unless it is done.</param>
    public OwnCertificateResult TakeAnswer(byte[] content, out X509Certificate2? taken)
    {
        taken = null;
        var chain = new List<CertificateFacts>();
        try
        {
            if (!CertificateFile.TryRead(content, chain, []) || chain.Count == 0)
                return OwnCertificateResult.Unreadable;
            var result = Take(chain);
            taken = IsKept(result) ? chain[0].Certificate : null;
            return result;
        }
        catch (FormatException)
        {
            return OwnCertificateResult.Unreadable;
        }
        finally
        {
            foreach (var one in chain)
            {
                if (one.Certificate != taken)
                    one.Certificate.Dispose();
            }
        }
    }

    private OwnCertificateResult Take(List<CertificateFacts> chain)
    {
        var leaf = chain[0];
        var problem = ProblemOf(leaf);
        if (problem != OwnCertificateResult.Done)
            return problem;
        var name = Path.ChangeExtension(RejectedCertificates.FileNameOf(LeafFacts.Of(leaf)), ".pem");
        var pem = string.Join('\n', chain.Select(static one => one.Certificate.ExportCertificatePem())) + "\n";
        return Change(() =>
        {
            Replace(Path.Combine(Certificates, name), System.Text.Encoding.ASCII.GetBytes(pem));
            return reload.Apply() ? OwnCertificateResult.Done : OwnCertificateResult.AtNextStart;
        });
    }

    private OwnCertificateResult ProblemOf(CertificateFacts leaf)
    {
        using var key = leaf.Certificate.GetRSAPublicKey();
        if (key is null || !key.ExportSubjectPublicKeyInfo().AsSpan().SequenceEqual(
            own.Current.PrivateKey.ExportSubjectPublicKeyInfo()))
            return OwnCertificateResult.OtherKey;
        // The first one is what the gateway calls itself by.
        if (leaf.Names.Uris.FirstOrDefault() != own.ApplicationUri)
            return OwnCertificateResult.OtherUri;
        var now = store.TimeProvider.GetUtcNow();
        return leaf.NotAfter <= now ? OwnCertificateResult.Expired
            : leaf.NotBefore > now ? OwnCertificateResult.NotYetValid
            : OwnCertificateResult.Done;
    }

    private static bool IsKept(OwnCertificateResult result) =>
        result is OwnCertificateResult.Done or OwnCertificateResult.AtNextStart;

    private static LeafFacts LeafOf(byte[] der)
    {
        var facts = CertificateFacts.TryParse(der)!;
        using (facts.Certificate)
            return LeafFacts.Of(facts);
    }

    /// <summary>The new file first: a start in between finds a certificate for its key in any case. It goes again where
    /// the old ones cannot be moved: of two the next start would choose one.</summary>
    private void Replace(string file, byte[] content)
    {
        var isThere = File.Exists(file);
        WholeFile.Write(file, content, overwrite: true);
        try
        {
            PutAway(Certificates, file);
        }
        catch (Exception error) when (!isThere && error is IOException or UnauthorizedAccessException)
        {
            File.Delete(file);
            throw;
        }
    }

    /// <summary>All files of a folder but one, or none of them.</summary>
    private void PutAway(string folder, string kept)
    {
        if (OperatingSystem.IsWindows())
            Directory.CreateDirectory(Replaced);
        else
            Directory.CreateDirectory(Replaced, OwnerOnly | UnixFileMode.UserExecute);
        var moved = new List<(string From, string To)>();
        try
        {
            foreach (var old in Directory.EnumerateFiles(folder).Where(one => one != kept).ToList())
            {
                var to = Path.Combine(Replaced, Path.GetFileName(old));
                File.Move(old, to, overwrite: true);
                moved.Add((old, to));
            }
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            foreach (var (from, to) in moved)
                File.Move(to, from);
            throw;
        }

        foreach (var oldest in new DirectoryInfo(Replaced).EnumerateFiles()
            .OrderByDescending(static one => one.LastWriteTimeUtc).Skip(MaxReplacedFiles))
            oldest.Delete();
    }

    private OwnCertificateResult Change(Func<OwnCertificateResult> change)
    {
        try
        {
            lock (_lock)
                return change();
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            LogFailed(error.Message);
            return OwnCertificateResult.Failed;
        }
    }

    [LoggerMessage(
        EventId = 1122, Level = LogLevel.Warning,
        Message = "The gateway's own certificate could not be replaced: {Reason}")]
    private partial void LogFailed(string reason);
}
