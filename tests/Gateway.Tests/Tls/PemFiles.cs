using System.Net;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace Gateway.Tests.Tls;

/// <summary>A certificate and its key as files, and new ones in their place.</summary>
internal sealed class PemFiles : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("tls-").FullName;

    public PemFiles() => Renew();

    public string CertificatePath => Path.Combine(_folder, "tls.crt");

    public string KeyPath => Path.Combine(_folder, "tls.key");

    public string[] Options => [$"--Http:Tls:CertificatePath={CertificatePath}", $"--Http:Tls:KeyPath={KeyPath}"];

    /// <summary>Of what lies there now.</summary>
    public string Thumbprint { get; private set; } = "";

    public void Renew(int days = 365)
    {
        using var certificate = Make("CN=gateway", days);
        File.WriteAllText(KeyPath, certificate.GetRSAPrivateKey()!.ExportPkcs8PrivateKeyPem());
        File.WriteAllText(CertificatePath, certificate.ExportCertificatePem());
        Thumbprint = certificate.Thumbprint;
    }

    /// <summary>A certificate as users have it.</summary>
    public static X509Certificate2 Make(string subject, int days = 365)
    {
        using var key = RSA.Create(2048);
        var request = new CertificateRequest(subject, key, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1);
        request.CertificateExtensions.Add(new X509BasicConstraintsExtension(false, false, 0, true));
        request.CertificateExtensions.Add(new X509KeyUsageExtension(X509KeyUsageFlags.DigitalSignature, true));
        var names = new SubjectAlternativeNameBuilder();
        names.AddIpAddress(IPAddress.Loopback);
        request.CertificateExtensions.Add(names.Build());
        var now = TimeProvider.System.GetUtcNow();
        return request.CreateSelfSigned(now.AddMinutes(-5), now.AddDays(days));
    }

    public void Dispose() => Directory.Delete(_folder, recursive: true);
}
