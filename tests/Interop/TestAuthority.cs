using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace Gateway.Interop;

/// <summary>An authority of this test: its certificate, and what it signs.</summary>
internal sealed class TestAuthority : IDisposable
{
    private readonly RSA key = RSA.Create(2048);

    /// <param name="name">The common name of its subject.</param>
    public TestAuthority(string name)
    {
        CertificateRequest request = new($"CN={name}", key, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1);
        request.CertificateExtensions.Add(new X509BasicConstraintsExtension(true, false, 0, critical: true));
        request.CertificateExtensions.Add(new X509KeyUsageExtension(
            X509KeyUsageFlags.KeyCertSign | X509KeyUsageFlags.CrlSign, critical: true));
        request.CertificateExtensions.Add(new X509SubjectKeyIdentifierExtension(request.PublicKey, critical: false));
        Certificate = request.CreateSelfSigned(Now.AddDays(-2), Now.AddDays(300));
    }

    public X509Certificate2 Certificate { get; }

    private static DateTimeOffset Now => TimeProvider.System.GetUtcNow();

    /// <summary>Its answer to a signing request.</summary>
    public X509Certificate2 Sign(string requestPem) => CertificateRequest.LoadSigningRequestPem(
        requestPem, HashAlgorithmName.SHA256, CertificateRequestLoadOptions.UnsafeLoadCertificateExtensions,
        RSASignaturePadding.Pkcs1).Create(Certificate, Now.AddDays(-1), Now.AddDays(30), [1, 2, 3, 4]);

    /// <summary>The certificate with its own behind it.</summary>
    public string ChainOf(X509Certificate2 signed) =>
        signed.ExportCertificatePem() + "\n" + Certificate.ExportCertificatePem() + "\n";

    /// <summary>A list that revokes one certificate of no importance.</summary>
    public byte[] RevocationList()
    {
        CertificateRevocationListBuilder revoked = new();
        revoked.AddEntry([1, 2, 3]);
        return revoked.Build(
            Certificate, 1, Now.AddDays(10), HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1);
    }

    public void Dispose()
    {
        Certificate.Dispose();
        key.Dispose();
    }
}
