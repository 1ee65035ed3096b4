using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Gateway.Client;
using Gateway.Testing;
using Gateway.Transport.Certificates;

namespace Gateway.Tests.Trust;

/// <summary>A client with a certificate of its own that trusts each server.</summary>
internal sealed class TrustingClient : IDisposable
{
    private const string Uri = "urn:test:client";

    private readonly ApplicationCertificate _own = Make();

    public TrustingClient() => Ua = new UaClient(new ClientOptions
    {
        Certificate = _own,
        CertificateValidator = new AnyServer(),
        ConnectTimeout = Patience.Limit,
        RequestTimeout = Patience.Limit,
    });

    public UaClient Ua { get; }

    public void Dispose()
    {
        Ua.Dispose();
        _own.Dispose();
    }

    private static ApplicationCertificate Make()
    {
        using var key = RSA.Create(2048);
        var request = new CertificateRequest("CN=" + Uri, key, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1);
        request.CertificateExtensions.Add(new X509BasicConstraintsExtension(false, false, 0, critical: true));
        request.CertificateExtensions.Add(new X509KeyUsageExtension(
            X509KeyUsageFlags.DigitalSignature | X509KeyUsageFlags.NonRepudiation |
            X509KeyUsageFlags.KeyEncipherment | X509KeyUsageFlags.DataEncipherment, critical: true));
        var names = new SubjectAlternativeNameBuilder();
        names.AddUri(new System.Uri(Uri));
        request.CertificateExtensions.Add(names.Build());
        var now = TimeProvider.System.GetUtcNow();
        return new ApplicationCertificate(request.CreateSelfSigned(now.AddDays(-1), now.AddYears(20)));
    }
}
