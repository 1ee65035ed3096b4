using System.Net;
using Gateway.Codec.Types;
using Gateway.Transport.Certificates;

namespace Gateway.Transport.Conversation;

/// <summary>An OPN, or a renewal, that was refused for what its peer sent.</summary>
/// <param name="RemoteEndPoint">Of the peer.</param>
/// <param name="Status">For the peer.</param>
/// <param name="Detail">For the operator; peer text in it is escaped.</param>
/// <param name="IsRenewal">Of a channel that was open.</param>
/// <param name="Claimed">The certificate that it names, with its issuers; empty where there is none.</param>
/// <param name="PolicyUri">Null where none was read.</param>
/// <param name="Verdict">Where the certificate was refused.</param>
public sealed record OpenRefusal(
    EndPoint? RemoteEndPoint, StatusCode Status, string Detail, bool IsRenewal, ReadOnlyMemory<byte> Claimed,
    string? PolicyUri, CertificateVerdict? Verdict)
{
    /// <summary>The leaf, DER; a claim. Copied at each call.</summary>
    public byte[] Certificate => DerCertificate.LeafOf(Claimed.Span).ToArray();

    /// <summary>SHA-1 of the leaf, upper-case hexadecimal; empty without one. Worked out at each call.</summary>
    public string Thumbprint => Claimed.IsEmpty
        ? ""
        : Convert.ToHexString(DerCertificate.ThumbprintOf(DerCertificate.LeafOf(Claimed.Span)));
}
