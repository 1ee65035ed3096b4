namespace Gateway.Transport.Certificates;

/// <summary>Decides whether a peer's certificate is accepted. Any thread; cheap for one that was proven
/// before.</summary>
public interface ICertificateValidator
{
    /// <param name="certificateBlob">The leaf, then any of its issuers, DER after DER (Part 6 §6.7.2.3).</param>
    /// <param name="policy">Bounds of the key length; null for the bounds common to all policies.</param>
    /// <param name="applicationUri">The URI that the peer claims; null if it has claimed none yet.</param>
    CertificateVerdict Validate(
        ReadOnlyMemory<byte> certificateBlob, ICertificateKeyRule? policy, string? applicationUri);

    /// <param name="certificateBlob">As above.</param>
    /// <param name="policy">As above.</param>
    /// <param name="applicationUri">As above.</param>
    /// <param name="address">Of the peer: a refused certificate takes its place among those of its address.</param>
    CertificateVerdict Validate(
        ReadOnlyMemory<byte> certificateBlob, ICertificateKeyRule? policy, string? applicationUri, string address) =>
        Validate(certificateBlob, policy, applicationUri);

    /// <summary>The verdict on a certificate that was proven before and is still accepted. It costs no signature check.
    /// Null: <see cref="Validate(ReadOnlyMemory{byte}, ICertificateKeyRule?, string?)"/> has to judge.</summary>
    /// <param name="certificateBlob">As above.</param>
    /// <param name="policy">As above.</param>
    CertificateVerdict? FindProven(ReadOnlyMemory<byte> certificateBlob, ICertificateKeyRule? policy) => null;

    /// <summary>The peer has shown that it holds the certificate's key: the result may be cached. Until then a
    /// certificate is a claim, and nothing of it is kept (R47).</summary>
    /// <param name="verdict">Of this validator.</param>
    void Proven(CertificateVerdict verdict)
    {
    }
}
