using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace Gateway.Interop;

/// <summary>A self-signed RSA 2048 certificate and its key as PEM files, for a peer to use.</summary>
internal sealed class TestCertificate
{
    private TestCertificate(string folder, string name, X509Certificate2 certificate, RSA key)
    {
        CertificateFile = Path.Combine(folder, name + ".pem");
        PrivateKeyFile = Path.Combine(folder, name + ".key.pem");
        Der = certificate.RawData;
        Thumbprint = certificate.Thumbprint;
        File.WriteAllText(CertificateFile, certificate.ExportCertificatePem());
        File.WriteAllText(PrivateKeyFile, key.ExportPkcs8PrivateKeyPem());
    }

    public string CertificateFile { get; }

    public string PrivateKeyFile { get; }

    public byte[] Der { get; }

    public string Thumbprint { get; }

    /// <summary>An application instance certificate; outside its validity when <paramref name="expired"/>.</summary>
    public static TestCertificate ForApplication(string folder, string applicationUri, bool expired = false)
    {
        SubjectAlternativeNameBuilder names = new();
        names.AddUri(new Uri(applicationUri));
        names.AddDnsName("localhost");
        return Create(folder, applicationUri.Replace(':', '-'), expired, request =>
        {
            request.CertificateExtensions.Add(names.Build());
            request.CertificateExtensions.Add(new X509EnhancedKeyUsageExtension(
                [new Oid("1.3.6.1.5.5.7.3.1"), new Oid("1.3.6.1.5.5.7.3.2")], critical: false));
        });
    }

    public static TestCertificate ForUser(string folder, string name) => Create(folder, name, expired: false, _ => { });

    private static TestCertificate Create(string folder, string name, bool expired, Action<CertificateRequest> extend)
    {
        using RSA key = RSA.Create(2048);
        CertificateRequest request =
            new($"CN={name}, O=Interop", key, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1);
        request.CertificateExtensions.Add(new X509BasicConstraintsExtension(false, false, 0, critical: true));
        request.CertificateExtensions.Add(new X509KeyUsageExtension(
            X509KeyUsageFlags.DigitalSignature | X509KeyUsageFlags.NonRepudiation | X509KeyUsageFlags.KeyEncipherment
            | X509KeyUsageFlags.DataEncipherment | X509KeyUsageFlags.KeyCertSign, critical: true));
        request.CertificateExtensions.Add(new X509SubjectKeyIdentifierExtension(request.PublicKey, critical: false));
        extend(request);
        DateTimeOffset now = TimeProvider.System.GetUtcNow();
        using X509Certificate2 certificate =
            request.CreateSelfSigned(now.AddDays(-30), expired ? now.AddDays(-1) : now.AddDays(30));
        return new(folder, name, certificate, key);
    }
}
