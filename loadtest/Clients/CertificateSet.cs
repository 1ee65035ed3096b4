using System.Globalization;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Gateway.Transport.Certificates;

namespace Gateway.Loadtest.Clients;

/// <summary>Client certificates of a run: each with a thumbprint and an ApplicationUri of its own. A few keys serve
/// all, because making one takes a tenth of a second and no server can tell.</summary>
internal sealed class CertificateSet : IDisposable
{
    private const int MaxKeys = 4;

    private readonly ApplicationCertificate[] _certificates;

    /// <param name="count">How many.</param>
    /// <param name="name">Part of subject and ApplicationUri.</param>
    public CertificateSet(int count, string name)
    {
        var keys = new RSA[Math.Min(count, MaxKeys)];
        for (var i = 0; i < keys.Length; i++)
            keys[i] = RSA.Create(2048);
        _certificates = new ApplicationCertificate[count];
        for (var i = 0; i < count; i++)
            _certificates[i] = Make(keys[i % keys.Length], $"{name}-{i.ToString(CultureInfo.InvariantCulture)}");
        foreach (var key in keys)
            key.Dispose();
    }

    public int Count => _certificates.Length;

    public ApplicationCertificate this[int number] => _certificates[number];

    public void Dispose()
    {
        foreach (var certificate in _certificates)
            certificate.Dispose();
    }

    private static ApplicationCertificate Make(RSA key, string name)
    {
        var request = new CertificateRequest(
            $"CN=loadtest {name}, O=Gateway loadtest", key, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1);
        var extensions = request.CertificateExtensions;
        extensions.Add(new X509BasicConstraintsExtension(false, false, 0, critical: true));
        extensions.Add(new X509KeyUsageExtension(
            X509KeyUsageFlags.DigitalSignature | X509KeyUsageFlags.NonRepudiation | X509KeyUsageFlags.KeyEncipherment |
            X509KeyUsageFlags.DataEncipherment | X509KeyUsageFlags.KeyCertSign, critical: true));
        extensions.Add(new X509EnhancedKeyUsageExtension([new Oid("1.3.6.1.5.5.7.3.2")], critical: false));
        extensions.Add(new X509SubjectKeyIdentifierExtension(request.PublicKey, critical: false));
        var names = new SubjectAlternativeNameBuilder();
        names.AddUri(new Uri($"urn:gateway:loadtest:{name}"));
        names.AddDnsName("localhost");
        extensions.Add(names.Build());
        var now = TimeProvider.System.GetUtcNow();
        return new ApplicationCertificate(request.CreateSelfSigned(now.AddDays(-1), now.AddDays(30)));
    }
}
