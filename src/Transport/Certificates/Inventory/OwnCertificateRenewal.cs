using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Gateway.Transport.Hosting;
using Microsoft.Extensions.Logging;

namespace Gateway.Transport.Certificates.Inventory;

/// <summary>
/// For operators: a new certificate of the gateway's own, made here or signed by an authority. Nothing changes for the
/// running gateway: the files that the next start reads are replaced, and the old ones go to <c>own/replaced</c>.
/// Threads: any; reads and writes files, so not on a socket's thread.
/// </summary>
public sealed partial class OwnCertificateRenewal(
    PkiStore store, ApplicationCertificate current, ApplicationCertificateOptions options,
    ILogger<OwnCertificateRenewal> logger)
{
    private const UnixFileMode OwnerOnly = UnixFileMode.UserRead | UnixFileMode.UserWrite;

    private readonly Lock _lock = new();
    private readonly ILogger _logger = logger;

    private string Certificates => Path.Combine(store.Root, "own", "certs");

    /// <summary>With a key of its own, signed by itself. Clients have to trust it anew.</summary>
    /// <param name="made">For the next start.</param>
    public OwnCertificateResult MakeNew(out X509Certificate2? made)
    {
        X509Certificate2? certificate = null;
        var result = Change(() =>
        {
            using var key = RSA.Create(2048);
            certificate = SelfSignedCertificate.Create(key, options, store.TimeProvider.GetUtcNow());
            // The key first: a certificate without its key would stop the next start.
            var name = RejectedCertificates.FileNameOf(LeafOf(certificate.RawData));
            WholeFile.Write(
                Path.Combine(store.Root, "own", "private", Path.ChangeExtension(name, ".pem")),
                System.Text.Encoding.ASCII.GetBytes(key.ExportPkcs8PrivateKeyPem()), mode: OwnerOnly);
            Replace(Path.Combine(Certificates, name), certificate.RawData);
            return OwnCertificateResult.Done;
        });
        made = certificate;
        return result;
    }

    /// <summary>A signing request with the present key, in PEM. Source: RFC 2986.</summary>
    public string MakeRequest()
    {
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
    /// <param name="taken">For the next start.</param>
    public OwnCertificateResult TakeAnswer(byte[] content, out X509Certificate2? taken)
    {
        taken = null;
        var chain = new List<CertificateFacts>();
        try
        {
            if (!CertificateFile.TryRead(content, chain, []) || chain.Count == 0)
                return OwnCertificateResult.Unreadable;
        }
        catch (FormatException)
        {
            return OwnCertificateResult.Unreadable;
        }

        var leaf = chain[0];
        var result = ProblemOf(leaf);
        if (result != OwnCertificateResult.Done)
            return result;
        var name = Path.ChangeExtension(RejectedCertificates.FileNameOf(LeafFacts.Of(leaf)), ".pem");
        var pem = string.Join('\n', chain.Select(static one => one.Certificate.ExportCertificatePem())) + "\n";
        result = Change(() =>
        {
            Replace(Path.Combine(Certificates, name), System.Text.Encoding.ASCII.GetBytes(pem));
            return OwnCertificateResult.Done;
        });
        taken = result == OwnCertificateResult.Done ? leaf.Certificate : null;
        return result;
    }

    private OwnCertificateResult ProblemOf(CertificateFacts leaf)
    {
        using var key = leaf.Certificate.GetRSAPublicKey();
        if (key is null ||
            !key.ExportSubjectPublicKeyInfo().AsSpan().SequenceEqual(current.PrivateKey.ExportSubjectPublicKeyInfo()))
            return OwnCertificateResult.OtherKey;
        if (!leaf.Names.Uris.Contains(current.ApplicationUri, StringComparer.Ordinal))
            return OwnCertificateResult.OtherUri;
        var now = store.TimeProvider.GetUtcNow();
        return leaf.NotAfter <= now ? OwnCertificateResult.Expired : OwnCertificateResult.Done;
    }

    private static LeafFacts LeafOf(byte[] der)
    {
        var facts = CertificateFacts.TryParse(der)!;
        using (facts.Certificate)
            return LeafFacts.Of(facts);
    }

    /// <summary>The new file first: a start in between finds a certificate for its key in any case.</summary>
    private void Replace(string file, byte[] content)
    {
        WholeFile.Write(file, content);
        var replaced = Directory.CreateDirectory(Path.Combine(store.Root, "own", "replaced"));
        foreach (var old in Directory.EnumerateFiles(Certificates).Where(one => one != file).ToList())
            File.Move(old, Path.Combine(replaced.FullName, Path.GetFileName(old)), overwrite: true);
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
