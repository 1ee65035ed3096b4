using System.Buffers.Binary;
using System.Security.Cryptography;

namespace Gateway.Transport.Certificates;

/// <summary>SHA-256 of a certificate blob: 32 bytes by value, so that a look-up allocates nothing.</summary>
internal readonly record struct BlobKey
{
    private readonly UInt128 _high;
    private readonly UInt128 _low;

    public BlobKey(ReadOnlySpan<byte> blob)
    {
        // A blob above the size limit is not worth hashing; its first bytes and length tell it apart.
        Span<byte> hash = stackalloc byte[SHA256.HashSizeInBytes];
        SHA256.HashData(blob[..Math.Min(blob.Length, CertificateBlob.MaxBytes + 1)], hash);
        _high = BinaryPrimitives.ReadUInt128LittleEndian(hash);
        _low = BinaryPrimitives.ReadUInt128LittleEndian(hash[16..]);
    }
}
