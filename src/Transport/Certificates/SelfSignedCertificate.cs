using System.Net;
using System.Net.NetworkInformation;
using System.Net.Sockets;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace Gateway.Transport.Certificates;

/// <summary>Makes an application instance certificate. Source: Part 6 §6.2.2.</summary>
internal static class SelfSignedCertificate
{
    /// <summary>A client whose clock runs a little behind accepts the certificate too.</summary>
    private static readonly TimeSpan ClockSkew = TimeSpan.FromDays(1);

    public static X509Certificate2 Create(RSA key, ApplicationCertificateOptions options, DateTimeOffset now)
    {
        var subject = new X500DistinguishedNameBuilder();
        subject.AddCommonName(options.ApplicationName);
        subject.AddOrganizationName("OPC UA Gateway");
        var request = new CertificateRequest(subject.Build(), key, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1);
        var extensions = request.CertificateExtensions;
        extensions.Add(new X509BasicConstraintsExtension(
            certificateAuthority: false, hasPathLengthConstraint: false, pathLengthConstraint: 0, critical: true));
        // keyCertSign: the certificate has signed itself, and OpenSSL's users ask for the bit.
        extensions.Add(new X509KeyUsageExtension(
            X509KeyUsageFlags.DigitalSignature | X509KeyUsageFlags.NonRepudiation | X509KeyUsageFlags.KeyEncipherment |
            X509KeyUsageFlags.DataEncipherment | X509KeyUsageFlags.KeyCertSign, critical: true));
        extensions.Add(new X509EnhancedKeyUsageExtension(
            [new Oid("1.3.6.1.5.5.7.3.1"), new Oid("1.3.6.1.5.5.7.3.2")], critical: false));
        var identifier = new X509SubjectKeyIdentifierExtension(request.PublicKey, critical: false);
        extensions.Add(identifier);
        extensions.Add(X509AuthorityKeyIdentifierExtension.CreateFromSubjectKeyIdentifier(identifier));
        extensions.Add(AlternativeName(options));
        return request.CreateSelfSigned(now - ClockSkew, now + options.Lifetime);
    }

    private static X509Extension AlternativeName(ApplicationCertificateOptions options)
    {
        var names = new SubjectAlternativeNameBuilder();
        names.AddUri(new Uri(options.ApplicationUri));
        var hosts = new HashSet<string>(StringComparer.OrdinalIgnoreCase) { "localhost", Dns.GetHostName() };
        hosts.UnionWith(options.HostNames);
        var addresses = new HashSet<IPAddress>(MachineAddresses());
        foreach (var host in hosts)
        {
            if (IPAddress.TryParse(host, out var address))
                addresses.Add(address);
            else
                names.AddDnsName(host);
        }
        foreach (var address in addresses)
            names.AddIpAddress(address);
        return names.Build();
    }

    private static IEnumerable<IPAddress> MachineAddresses() =>
        NetworkInterface.GetAllNetworkInterfaces()
            .SelectMany(one => one.GetIPProperties().UnicastAddresses)
            .Select(one => one.Address)
            .Where(one => one.AddressFamily == AddressFamily.InterNetwork ||
                (one.AddressFamily == AddressFamily.InterNetworkV6 && !one.IsIPv6LinkLocal));
}
