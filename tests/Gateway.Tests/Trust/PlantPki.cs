using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Gateway.Transport.Certificates;

namespace Gateway.Tests.Trust;

/// <summary>A PKI folder that trusts many applications: the even ones by their own certificate in
/// <c>trusted/certs</c>, the odd ones by their authority. All share one key, which costs a test the time of one.
/// </summary>
internal sealed class PlantPki : IDisposable
{
    private static readonly DateTimeOffset From = new(2000, 1, 1, 0, 0, 0, TimeSpan.Zero);
    private static readonly DateTimeOffset Until = new(2049, 1, 1, 0, 0, 0, TimeSpan.Zero);

    private readonly RSA _key = RSA.Create(2048);
    private readonly RSA _authorityKey = RSA.Create(2048);
    private readonly X509Certificate2 _authority;

    public PlantPki()
    {
        var request = new CertificateRequest(
            "CN=plant", _authorityKey, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1);
        request.CertificateExtensions.Add(new X509BasicConstraintsExtension(true, false, 0, critical: true));
        request.CertificateExtensions.Add(new X509KeyUsageExtension(
            X509KeyUsageFlags.KeyCertSign | X509KeyUsageFlags.CrlSign, critical: true));
        _authority = request.CreateSelfSigned(From, Until);
        Directory.CreateDirectory(Certificates);
        Directory.CreateDirectory(Path.GetDirectoryName(RevocationList)!);
        File.WriteAllBytes(Path.Combine(Certificates, "plant.der"), _authority.RawData);
        Revoke([]);
    }

    public string Folder { get; } = Directory.CreateTempSubdirectory("gateway-").FullName;

    private string Certificates => Path.Combine(Folder, "trusted", "certs");

    private string RevocationList => Path.Combine(Folder, "trusted", "crl", "plant.crl");

    /// <summary>So many applications, all of them trusted. For a time before the gateway starts.</summary>
    public IReadOnlyList<ApplicationCertificate> Make(int count)
    {
        var all = Enumerable.Range(0, count).Select(MakeOne).ToArray();
        // As if they had lain there for long: a folder that has just changed is read again with each handshake.
        foreach (var folder in new[] { Certificates, Path.GetDirectoryName(RevocationList)! })
            Directory.SetLastWriteTimeUtc(folder, From.UtcDateTime);
        return all;
    }

    /// <summary>Their files go, or they are on the next revocation list.</summary>
    public void Withdraw(IReadOnlyCollection<ApplicationCertificate> applications)
    {
        foreach (var file in applications.Select(FileOf).Where(File.Exists))
            File.Delete(file);
        Revoke(applications.Where(one => one.Certificate.Issuer == _authority.Subject));
    }

    public void Dispose()
    {
        _authority.Dispose();
        _authorityKey.Dispose();
        _key.Dispose();
        Directory.Delete(Folder, recursive: true);
    }

    private ApplicationCertificate MakeOne(int number)
    {
        var request = new CertificateRequest(
            $"CN=client{number}", _key, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1);
        request.CertificateExtensions.Add(new X509BasicConstraintsExtension(false, false, 0, critical: true));
        request.CertificateExtensions.Add(new X509KeyUsageExtension(
            X509KeyUsageFlags.DigitalSignature | X509KeyUsageFlags.NonRepudiation |
            X509KeyUsageFlags.KeyEncipherment | X509KeyUsageFlags.DataEncipherment, critical: true));
        var names = new SubjectAlternativeNameBuilder();
        names.AddUri(new Uri($"urn:test:client:{number}"));
        request.CertificateExtensions.Add(names.Build());
        request.CertificateExtensions.Add(new X509EnhancedKeyUsageExtension(
            [new Oid("1.3.6.1.5.5.7.3.1"), new Oid("1.3.6.1.5.5.7.3.2")], critical: false));
        var isOwn = number % 2 == 0;
        var signer = X509SignatureGenerator.CreateForRSA(isOwn ? _key : _authorityKey, RSASignaturePadding.Pkcs1);
        using var made = request.Create(
            isOwn ? request.SubjectName : _authority.SubjectName, signer, From, Until,
            BitConverter.GetBytes(number | 0x01000000));
        var certificate = new ApplicationCertificate(made.CopyWithPrivateKey(_key));
        if (isOwn)
            File.WriteAllBytes(FileOf(certificate), certificate.Der);
        return certificate;
    }

    private string FileOf(ApplicationCertificate certificate) =>
        Path.Combine(Certificates, certificate.Thumbprint + ".der");

    private void Revoke(IEnumerable<ApplicationCertificate> applications)
    {
        var list = new CertificateRevocationListBuilder();
        foreach (var application in applications)
            list.AddEntry(application.Certificate);
        File.WriteAllBytes(RevocationList, list.Build(
            _authority.SubjectName, X509SignatureGenerator.CreateForRSA(_authorityKey, RSASignaturePadding.Pkcs1), 1,
            Until, HashAlgorithmName.SHA256,
            X509AuthorityKeyIdentifierExtension.CreateFromSubjectKeyIdentifier([1, 2, 3, 4]), From));
    }
}
