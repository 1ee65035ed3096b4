using System.Formats.Asn1;
using System.Net;
using System.Security.Cryptography.X509Certificates;
using System.Text;

namespace Gateway.Transport.Certificates;

/// <summary>The names of a certificate: <c>SEQUENCE OF GeneralName</c>, of which URI [6], dNSName [2] and iPAddress [7]
/// are read. Source: RFC 5280 §4.2.1.6.</summary>
/// <param name="Uris">In the order of the certificate; for an application exactly one is expected.</param>
internal sealed record SubjectAltName(string[] Uris, string[] DnsNames, IPAddress[] IPAddresses)
{
    private const string Oid = "2.5.29.17";

    private static readonly SubjectAltName None = new([], [], []);

    /// <summary>Errors: <see cref="AsnContentException"/> when the extension is broken.</summary>
    public static SubjectAltName Read(X509Certificate2 certificate)
    {
        var extension = certificate.Extensions.FirstOrDefault(one => one.Oid?.Value == Oid);
        return extension is null ? None : Parse(extension.RawData);
    }

    private static SubjectAltName Parse(byte[] der)
    {
        var uris = new List<string>();
        var dnsNames = new List<string>();
        var addresses = new List<IPAddress>();
        var names = new AsnReader(der, AsnEncodingRules.DER).ReadSequence();
        while (names.HasData)
        {
            var tag = names.PeekTag();
            if (tag.TagClass != TagClass.ContextSpecific || tag.IsConstructed)
            {
                names.ReadEncodedValue();
                continue;
            }
            var value = names.ReadOctetString(tag);
            switch (tag.TagValue)
            {
                case 2: dnsNames.Add(Encoding.ASCII.GetString(value)); break;
                case 6: uris.Add(Encoding.UTF8.GetString(value)); break;
                case 7 when value.Length is 4 or 16: addresses.Add(new IPAddress(value)); break;
                default: break;
            }
        }
        return new SubjectAltName([.. uris], [.. dnsNames], [.. addresses]);
    }
}
