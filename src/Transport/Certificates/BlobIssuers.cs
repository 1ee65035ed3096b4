using System.Formats.Asn1;

namespace Gateway.Transport.Certificates;

/// <summary>The certificates that a peer sent behind its leaf. Names are read out of the bytes; a certificate is
/// parsed, which costs OpenSSL as much as a signature check, only when the walk asks for it. One use, one thread; frees
/// what it parsed.
/// </summary>
internal sealed class BlobIssuers(ReadOnlyMemory<byte>[] certificates) : IDisposable
{
    private readonly string?[] _subjects = new string?[certificates.Length];
    private readonly CertificateFacts?[] _parsed = new CertificateFacts?[certificates.Length];

    public int Count => certificates.Length;

    /// <summary>The encoded subject in hexadecimal; empty where there is none.</summary>
    public string SubjectOf(int index) => _subjects[index] ??= ReadSubject(certificates[index].Span);

    /// <summary>Null: no certificate.</summary>
    public CertificateFacts? Parse(int index) => _parsed[index] ??= CertificateFacts.TryParse(certificates[index].Span);

    public void Dispose()
    {
        foreach (var parsed in _parsed)
            parsed?.Certificate.Dispose();
    }

    /// <summary>TBSCertificate: [0] version, serial number, signature, issuer, validity, subject, …
    /// Source: RFC 5280 §4.1.</summary>
    private static string ReadSubject(ReadOnlySpan<byte> der)
    {
        try
        {
            var body = Content(Content(der));
            var version = new Asn1Tag(TagClass.ContextSpecific, 0);
            var before = Asn1Tag.Decode(body, out _).HasSameClassAndValue(version) ? 5 : 4;
            for (var i = 0; i < before; i++)
                body = body[LengthOf(body)..];
            return Convert.ToHexString(body[..LengthOf(body)]);
        }
        catch (AsnContentException)
        {
            return "";
        }
    }

    private static ReadOnlySpan<byte> Content(ReadOnlySpan<byte> der)
    {
        AsnDecoder.ReadSequence(der, AsnEncodingRules.DER, out var offset, out var length, out _);
        return der.Slice(offset, length);
    }

    private static int LengthOf(ReadOnlySpan<byte> der)
    {
        AsnDecoder.ReadEncodedValue(der, AsnEncodingRules.DER, out _, out _, out var length);
        return length;
    }
}
