using System.Net.Security;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using System.Text;

namespace Gateway.Host.Tls;

/// <summary>A certificate with its key and those of its authorities, ready for handshakes. Immutable.</summary>
internal sealed class TlsIdentity
{
    private const int MinRsaBits = 2_048;

    private TlsIdentity(X509Certificate2 certificate, X509Certificate2Collection authorities)
    {
        Certificate = certificate;
        Context = SslStreamCertificateContext.Create(certificate, authorities, offline: true);
    }

    public X509Certificate2 Certificate { get; }

    public SslStreamCertificateContext Context { get; }

    /// <summary>Errors: <see cref="FormatException"/>, which names no secret.</summary>
    /// <param name="files">The certificate's and the key's.</param>
    public static TlsIdentity Read(byte[][] files)
    {
        var (chain, key) = (Encoding.UTF8.GetChars(files[0]), Encoding.UTF8.GetChars(files[1]));
        var all = new X509Certificate2Collection();
        X509Certificate2 certificate;
        try
        {
            all.ImportFromPem(chain);
            if (all.Count == 0)
                throw new FormatException("the certificate's file holds no certificate in PEM");
            certificate = X509Certificate2.CreateFromPem(chain, key);
        }
        catch (Exception error) when (error is CryptographicException or ArgumentException)
        {
            throw new FormatException("the key is not this certificate's, or one of them is no PEM without a password");
        }
        finally
        {
            Array.Clear(chain);
            Array.Clear(key);
        }

        using (var rsa = certificate.GetRSAPublicKey())
        {
            if (rsa is { KeySize: < MinRsaBits })
                throw new FormatException($"the certificate's RSA key has fewer than {MinRsaBits} bits");
        }

        var leaf = all[0];
        all.RemoveAt(0);
        leaf.Dispose();
        return new TlsIdentity(Usable(certificate), all);
    }

    /// <summary>Windows takes no key that lies in memory alone.</summary>
    private static X509Certificate2 Usable(X509Certificate2 certificate)
    {
        if (!OperatingSystem.IsWindows())
            return certificate;
        using (certificate)
            return X509CertificateLoader.LoadPkcs12(certificate.Export(X509ContentType.Pkcs12), null);
    }
}
