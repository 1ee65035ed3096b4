using System.Security.Cryptography;

namespace Gateway.Transport.Conversation;

/// <summary>A chain: DER values, one behind the other, the leaf first. Source: Part 6 §6.2.6.</summary>
public static class DerCertificate
{
    /// <summary>The whole blob where it does not start with a SEQUENCE of a two-byte length.</summary>
    public static ReadOnlySpan<byte> LeafOf(ReadOnlySpan<byte> blob)
    {
        if (blob.Length < 4 || blob[0] != 0x30 || blob[1] != 0x82)
            return blob;
        var length = 4 + ((blob[2] << 8) | blob[3]);
        return length <= blob.Length ? blob[..length] : blob;
    }

    /// <summary>20 bytes. The standard names certificates by SHA-1; nothing is trusted by it.</summary>
#pragma warning disable CA5350 // Part 6 §6.7.2.3 prescribes SHA-1 for ReceiverCertificateThumbprint.
    public static byte[] ThumbprintOf(ReadOnlySpan<byte> leaf) => SHA1.HashData(leaf);
#pragma warning restore CA5350
}
