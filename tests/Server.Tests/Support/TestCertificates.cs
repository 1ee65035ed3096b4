using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Gateway.Transport.Certificates;

namespace Gateway.Server.Tests.Support;

/// <summary>The keys of the tests: made once, since a key costs more than a test.</summary>
internal static class TestCertificates
{
    public static ApplicationCertificate Server { get; } = Make("urn:test:server");

    /// <summary>Of the same application.</summary>
    public static ApplicationCertificate NextServer { get; } = Make("urn:test:server");

    public static ApplicationCertificate Client { get; } = Make("urn:test:client");

    public static ApplicationCertificate OtherClient { get; } = Make("urn:test:other");

    private static ApplicationCertificate Make(string applicationUri)
    {
        using var key = RSA.Create(2048);
        var request = new CertificateRequest(
            "CN=" + applicationUri, key, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1);
        var names = new SubjectAlternativeNameBuilder();
        names.AddUri(new Uri(applicationUri));
        request.CertificateExtensions.Add(names.Build());
        return new ApplicationCertificate(request.CreateSelfSigned(
            new DateTimeOffset(2025, 1, 1, 0, 0, 0, TimeSpan.Zero),
            new DateTimeOffset(2035, 1, 1, 0, 0, 0, TimeSpan.Zero)));
    }
}
