using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace Gateway.Tests.Trust;

/// <summary>Certificates of applications that have signed themselves.</summary>
internal static class SelfSigned
{
    public static X509Certificate2 Make(RSA key, string uri, DateTimeOffset from)
    {
        var request = new CertificateRequest("CN=" + uri, key, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1);
        request.CertificateExtensions.Add(new X509BasicConstraintsExtension(false, false, 0, critical: true));
        request.CertificateExtensions.Add(new X509KeyUsageExtension(
            X509KeyUsageFlags.DigitalSignature | X509KeyUsageFlags.NonRepudiation |
            X509KeyUsageFlags.KeyEncipherment | X509KeyUsageFlags.DataEncipherment, critical: true));
        var names = new SubjectAlternativeNameBuilder();
        names.AddUri(new Uri(uri));
        request.CertificateExtensions.Add(names.Build());
        return request.CreateSelfSigned(from, from.AddYears(20));
    }
}
