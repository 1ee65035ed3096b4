using Gateway.Codec.Types;
using Gateway.Transport.Certificates;

namespace Gateway.Server.Tests.Support;

/// <summary>Accepts every certificate whose ApplicationUri is the one given.</summary>
internal sealed class FakeCertificateValidator : ICertificateValidator
{
    public StatusCode Refusal { get; set; }

    public List<string?> ApplicationUris { get; } = [];

    public List<byte[]> Blobs { get; } = [];

    public CertificateVerdict Validate(
        ReadOnlyMemory<byte> certificateBlob, ICertificateKeyRule? policy, string? applicationUri)
    {
        ApplicationUris.Add(applicationUri);
        Blobs.Add(certificateBlob.ToArray());
        return Refusal.IsBad
            ? new CertificateVerdict(
                StatusCodes.BadSecurityChecksFailed, Refusal, CertificateFault.UriMismatch, "secret detail", [], "")
            : new CertificateVerdict(StatusCode.Good, StatusCode.Good, CertificateFault.None, "", [], "");
    }
}
