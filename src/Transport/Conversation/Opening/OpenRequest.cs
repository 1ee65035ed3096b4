using Gateway.Transport.Certificates;
using Gateway.Transport.Security;

namespace Gateway.Transport.Conversation;

/// <summary>An OPN on its way: checked as far as its clear header goes. It may wait: it holds the chunk and nothing
/// copied out of it.</summary>
internal sealed record OpenRequest(
    byte[] Chunk, int HeaderEnd, ReadOnlyMemory<byte> SenderCertificate, SecurityPolicy Policy,
    ApplicationCertificate? OwnCertificate)
{
    /// <summary>SHA-1 of the certificate that it names, upper-case hexadecimal: a claim until the signature is
    /// checked.</summary>
    public string ClaimedThumbprint() =>
        Convert.ToHexString(DerCertificate.ThumbprintOf(DerCertificate.LeafOf(SenderCertificate.Span)));
}
