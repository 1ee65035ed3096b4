using System.Security.Cryptography.X509Certificates;
using Gateway.Codec.Types;
using Gateway.Transport.Certificates;

namespace Gateway.Tests.Trust;

/// <summary>A client's trust in each server.</summary>
internal sealed class AnyServer : ICertificateValidator
{
    public CertificateVerdict Validate(
        ReadOnlyMemory<byte> certificateBlob, ICertificateKeyRule? policy, string? applicationUri)
    {
        using var leaf = X509CertificateLoader.LoadCertificate(certificateBlob.Span);
        return new(StatusCodes.Good, StatusCodes.Good, CertificateFault.None, "", leaf.RawData, leaf.Thumbprint);
    }
}
