using System.Security.Cryptography.X509Certificates;
using Gateway.Codec.Types;
using Gateway.Transport.Certificates;

namespace Gateway.Interop;

/// <summary>Accepts every server: these tests are about the conversation, TrustTests about trust.</summary>
internal sealed class TrustingValidator : ICertificateValidator
{
    public CertificateVerdict Validate(
        ReadOnlyMemory<byte> certificateBlob, ICertificateKeyRule? policy, string? applicationUri)
    {
        using X509Certificate2 leaf = X509CertificateLoader.LoadCertificate(certificateBlob.Span);
        return new(StatusCodes.Good, StatusCodes.Good, CertificateFault.None, "", leaf.RawData, leaf.Thumbprint);
    }
}
