using System.Collections.Concurrent;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Gateway.Transport.Certificates;

namespace Gateway.Transport.Tests.Support;

/// <summary>Certificates made once a test run, by name and key size.</summary>
internal static class TestCertificates
{
    private static readonly ConcurrentDictionary<(string, int), Lazy<ApplicationCertificate>> Made = new();

    public static ApplicationCertificate Server => Get("server");

    public static ApplicationCertificate Client => Get("client");

    public static ApplicationCertificate Get(string name, int keyBits = 2048) =>
        Made.GetOrAdd((name, keyBits), static key => new Lazy<ApplicationCertificate>(() => Make(key.Item1, key.Item2)))
            .Value;

    private static ApplicationCertificate Make(string name, int keyBits)
    {
        using var key = RSA.Create(keyBits);
        var request = new CertificateRequest("CN=" + name, key, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1);
        var names = new SubjectAlternativeNameBuilder();
        names.AddUri(new Uri("urn:test:" + name));
        request.CertificateExtensions.Add(names.Build());
        var start = new DateTimeOffset(2020, 1, 1, 0, 0, 0, TimeSpan.Zero);
        return new ApplicationCertificate(request.CreateSelfSigned(start, start.AddYears(50)));
    }
}
