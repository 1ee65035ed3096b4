using System.Formats.Asn1;

namespace Gateway.Transport.Certificates;

/// <summary>The common shape of certificates and revocation lists: <c>SEQUENCE { tbs, AlgorithmIdentifier { oid,
/// parameters }, BIT STRING signature }</c>. Source: RFC 5280 §4.1.1 and §5.1.1.</summary>
/// <param name="ToBeSigned">The encoded first element: what the signature covers.</param>
/// <param name="Parameters">The encoded parameters of the algorithm, empty when absent.</param>
internal sealed record SignedObject(
    ReadOnlyMemory<byte> ToBeSigned, string AlgorithmOid, ReadOnlyMemory<byte> Parameters, byte[] Signature)
{
    /// <summary>Errors: <see cref="AsnContentException"/>.</summary>
    public static SignedObject Parse(ReadOnlyMemory<byte> der)
    {
        var reader = new AsnReader(der, AsnEncodingRules.DER);
        var whole = reader.ReadSequence();
        reader.ThrowIfNotEmpty();
        var toBeSigned = whole.ReadEncodedValue();
        var algorithm = whole.ReadSequence();
        var oid = algorithm.ReadObjectIdentifier();
        var parameters = algorithm.HasData ? algorithm.ReadEncodedValue() : default;
        algorithm.ThrowIfNotEmpty();
        var signature = whole.ReadBitString(out var unusedBits);
        whole.ThrowIfNotEmpty();
        if (unusedBits != 0)
            throw new AsnContentException("A signature is a whole number of bytes.");
        return new SignedObject(toBeSigned, oid, parameters, signature);
    }
}
