using System.Net;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace Gateway.Transport.Certificates;

/// <summary>This application's certificate and private key. Immutable; lives as long as the process.</summary>
public sealed class ApplicationCertificate : IDisposable
{
    private readonly RSA _privateKey;
    private readonly SubjectAltName _names;

    /// <param name="certificate">With its RSA private key; owned from here on.</param>
    /// <param name="issuers">The chain above it, nearest first.</param>
    public ApplicationCertificate(X509Certificate2 certificate, params X509Certificate2[] issuers)
    {
        Certificate = certificate;
        Der = certificate.RawData;
        ChainBlob = [.. Der, .. issuers.SelectMany(issuer => issuer.RawData)];
        ThumbprintBytes = certificate.GetCertHash();
        Thumbprint = certificate.Thumbprint;
        _privateKey = certificate.GetRSAPrivateKey() ??
            throw new ArgumentException("The certificate has no RSA private key.", nameof(certificate));
        _names = SubjectAltName.Read(certificate);
        ApplicationUri = _names.Uris.FirstOrDefault() ??
            throw new ArgumentException("The certificate names no ApplicationUri.", nameof(certificate));
    }

    public X509Certificate2 Certificate { get; }

    /// <summary>Where it lies, with the full path; null: in memory alone.</summary>
    public string? File { get; init; }

    /// <summary>From the URI of the SubjectAltName.</summary>
    public string ApplicationUri { get; }

    /// <summary>The certificate alone.</summary>
    public byte[] Der { get; }

    /// <summary>The certificate and its issuers, as OpenSecureChannel and EndpointDescription carry them.</summary>
    public byte[] ChainBlob { get; }

    /// <summary>SHA-1 of <see cref="Der"/>, 20 bytes: ReceiverCertificateThumbprint (Part 6 §6.7.2.3).</summary>
    public ReadOnlyMemory<byte> ThumbprintBytes { get; }

    /// <summary>The same in upper-case hexadecimal.</summary>
    public string Thumbprint { get; }

    /// <summary>Owned by this object; safe for use by many threads at once (OpenSSL's RSA is).</summary>
    public RSA PrivateKey => _privateKey;

    /// <summary>Whether it names a host, by its name or its address. Source: Part 4 §5.7.2.1.</summary>
    public bool HasHost(ReadOnlySpan<char> host)
    {
        foreach (var name in _names.DnsNames)
        {
            if (host.Equals(name, StringComparison.OrdinalIgnoreCase))
                return true;
        }

        return IPAddress.TryParse(host, out var address) && Array.IndexOf(_names.IPAddresses, address) >= 0;
    }

    public void Dispose()
    {
        _privateKey.Dispose();
        Certificate.Dispose();
    }
}
