using System.Security.Cryptography.X509Certificates;
using Gateway.Codec.Types;
using Gateway.Transport.Certificates;

namespace Gateway.Loadtest.Clients;

/// <summary>A driver takes any server's certificate as it is: it holds no secret. The last one's verdict is
/// kept, since all sessions meet the same.</summary>
internal sealed class AcceptAll : ICertificateValidator
{
    private volatile CertificateVerdict? _last;

    public CertificateVerdict Validate(
        ReadOnlyMemory<byte> certificateBlob, ICertificateKeyRule? policy, string? applicationUri)
    {
        if (_last is { } last && certificateBlob.Span.SequenceEqual(last.Leaf))
            return last;
        using var certificate = X509CertificateLoader.LoadCertificate(certificateBlob.Span);
        return _last = new CertificateVerdict(
            StatusCodes.Good,
            StatusCodes.Good,
            CertificateFault.None,
            string.Empty,
            certificate.RawData,
            certificate.Thumbprint);
    }
}
