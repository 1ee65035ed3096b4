using System.Formats.Asn1;

namespace Gateway.Client.Sessions;

/// <summary>A certificate ByteString may hold a whole chain, leaf first, one DER after the other.
/// Source: Part 6 §6.2.6.</summary>
internal static class CertificateChain
{
    public static byte[] Leaf(byte[] chain)
    {
        if (chain.Length == 0 ||
            !AsnDecoder.TryReadEncodedValue(chain, AsnEncodingRules.DER, out _, out _, out _, out var length))
            return chain;
        return length == chain.Length ? chain : chain[..length];
    }
}
