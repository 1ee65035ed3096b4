using System.Collections.Frozen;
using System.Formats.Asn1;

namespace Gateway.Transport.Certificates;

/// <summary>A certificate revocation list: its issuer, the end of its validity, and its serial numbers. Immutable.
/// Source: RFC 5280 §5.1.</summary>
internal sealed class RevocationList
{
    private readonly FrozenSet<string> _serialNumbers;

    private RevocationList(SignedObject signed)
    {
        Signed = signed;
        var list = new AsnReader(signed.ToBeSigned, AsnEncodingRules.DER).ReadSequence();
        if (list.PeekTag().HasSameClassAndValue(Asn1Tag.Integer))
            list.ReadInteger();
        list.ReadSequence();
        Issuer = Convert.ToHexString(list.ReadEncodedValue().Span);
        ThisUpdate = ReadTime(list);
        NextUpdate = list.HasData && IsTime(list) ? ReadTime(list) : DateTimeOffset.MaxValue;
        var serialNumbers = new List<string>();
        if (list.HasData && list.PeekTag().HasSameClassAndValue(Asn1Tag.Sequence))
        {
            var entries = list.ReadSequence();
            while (entries.HasData)
                serialNumbers.Add(SerialText(entries.ReadSequence().ReadIntegerBytes().Span));
        }
        _serialNumbers = serialNumbers.ToFrozenSet();
        HasUnknownCriticalExtension = list.HasData && ReadExtensions(list);
    }

    public SignedObject Signed { get; }

    /// <summary>The encoded name in hexadecimal.</summary>
    public string Issuer { get; }

    public DateTimeOffset ThisUpdate { get; }

    public DateTimeOffset NextUpdate { get; }

    /// <summary>Certificates that it names.</summary>
    public int Count => _serialNumbers.Count;

    /// <summary>True for delta and indirect lists too: they do not say all that their issuer has to say.</summary>
    public bool HasUnknownCriticalExtension { get; }

    public static RevocationList? TryParse(ReadOnlyMemory<byte> der)
    {
        try
        {
            return new RevocationList(SignedObject.Parse(der));
        }
        catch (AsnContentException)
        {
            return null;
        }
    }

    public bool Names(CertificateFacts certificate) => _serialNumbers.Contains(certificate.SerialNumber);

    private static string SerialText(ReadOnlySpan<byte> number) => Convert.ToHexString(number.TrimStart((byte)0));

    private static bool IsTime(AsnReader reader) =>
        reader.PeekTag().HasSameClassAndValue(Asn1Tag.UtcTime) ||
        reader.PeekTag().HasSameClassAndValue(Asn1Tag.GeneralizedTime);

    private static DateTimeOffset ReadTime(AsnReader reader) =>
        reader.PeekTag().HasSameClassAndValue(Asn1Tag.UtcTime) ? reader.ReadUtcTime() : reader.ReadGeneralizedTime();

    /// <summary><c>[0] EXPLICIT SEQUENCE OF SEQUENCE { oid, critical DEFAULT FALSE, value }</c></summary>
    private static bool ReadExtensions(AsnReader list)
    {
        var extensions = list.ReadSequence(new Asn1Tag(TagClass.ContextSpecific, 0)).ReadSequence();
        var unknown = false;
        while (extensions.HasData)
        {
            var extension = extensions.ReadSequence();
            extension.ReadObjectIdentifier();
            if (extension.PeekTag().HasSameClassAndValue(Asn1Tag.Boolean))
                unknown |= extension.ReadBoolean();
        }
        return unknown;
    }
}
