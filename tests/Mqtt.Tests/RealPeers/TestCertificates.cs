using System.Net;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace Gateway.Mqtt.Tests.RealPeers;

/// <summary>An authority, and the PEM files of certificates that it signs.</summary>
internal sealed class TestCertificates : IDisposable
{
    private static readonly DateTimeOffset Yesterday = TimeProvider.System.GetUtcNow().AddDays(-1);
    private static readonly DateTimeOffset Tomorrow = Yesterday.AddDays(2);

    private readonly TestFolder _folder;
    private readonly RSA _key = RSA.Create(2048);
    private readonly X509Certificate2 _authority;
    private readonly string _name;

    public TestCertificates(TestFolder folder, string name = "ca")
    {
        (_folder, _name) = (folder, name);
        var request = new CertificateRequest(
            $"CN={name}", _key, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1);
        request.CertificateExtensions.Add(new X509BasicConstraintsExtension(true, false, 0, true));
        request.CertificateExtensions.Add(new X509SubjectKeyIdentifierExtension(request.PublicKey, false));
        _authority = request.CreateSelfSigned(Yesterday, Tomorrow);
        folder.Write($"{name}.pem", _authority.ExportCertificatePem());
    }

    public string CaFile => _folder[$"{_name}.pem"];

    /// <summary>For a DNS name, or for 127.0.0.1 where there is none.</summary>
    public (string Certificate, string Key) Issue(string name, string? dnsName = null)
    {
        using var key = RSA.Create(2048);
        var request = new CertificateRequest($"CN={name}", key, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1);
        var names = new SubjectAlternativeNameBuilder();
        if (dnsName is null)
            names.AddIpAddress(IPAddress.Loopback);
        else
            names.AddDnsName(dnsName);
        request.CertificateExtensions.Add(names.Build());
        using var certificate = request.Create(_authority, Yesterday, Tomorrow, RandomNumberGenerator.GetBytes(8));
        return (
            _folder.Write($"{name}.pem", certificate.ExportCertificatePem()),
            _folder.Write($"{name}.key", key.ExportPkcs8PrivateKeyPem()));
    }

    public void Dispose()
    {
        _authority.Dispose();
        _key.Dispose();
    }
}
