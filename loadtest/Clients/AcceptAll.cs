using System.Security.Cryptography.X509Certificates;
using Gateway.Codec.Types;
using Gateway.Transport.Certificates;

namespace Gateway.Loadtest.Clients;

/// <summary>A driver on the loopback takes any server's certificate as it is: it holds no secret.</summary>
internal sealed class AcceptAll : ICertificateValidator
{
    public CertificateVerdict Validate(
        ReadOnlyMemory<byte> certificateBlob, ICertificateKeyRule? policy, string? applicationUri)
    {
        using var certificate = X509CertificateLoader.LoadCertificate(certificateBlob.Span);
        return new CertificateVerdict(
            StatusCodes.Good,
            StatusCodes.Good,
            CertificateFault.None,
            string.Empty,
            certificate.RawData,
            certificate.Thumbprint);
    }
}
