using System.Security.Cryptography;
using System.Text;

namespace Gateway.Transport.Certificates;

/// <summary>Reads what operators put into PKI folders: DER or PEM, one certificate or revocation list or several.
/// </summary>
internal static class CertificateFile
{
    private const int MaxFileBytes = 16 * 1024 * 1024;
    private const string CertificateLabel = "CERTIFICATE";
    private const string RevocationListLabel = "X509 CRL";

    /// <summary>False when the file holds nothing of use. Errors: <see cref="IOException"/>,
    /// <see cref="UnauthorizedAccessException"/>.</summary>
    public static bool TryRead(
        FileInfo file, List<CertificateFacts> certificates, List<RevocationList> revocationLists)
    {
        if (file.Length is 0 or > MaxFileBytes)
            return false;
        return TryRead(File.ReadAllBytes(file.FullName), certificates, revocationLists);
    }

    /// <summary>The same of a file's content. Errors: FormatException.</summary>
    public static bool TryRead(
        byte[] bytes, List<CertificateFacts> certificates, List<RevocationList> revocationLists)
    {
        return bytes.AsSpan().IndexOf("-----BEGIN "u8) >= 0
            ? TryReadPem(Encoding.UTF8.GetString(bytes), certificates, revocationLists)
            : TryReadDer(bytes, certificates, revocationLists);
    }

    private static bool TryReadDer(
        byte[] der, List<CertificateFacts> certificates, List<RevocationList> revocationLists)
    {
        if (CertificateFacts.TryParse(der) is { } certificate)
            certificates.Add(certificate);
        else if (RevocationList.TryParse(der) is { } revocationList)
            revocationLists.Add(revocationList);
        else
            return false;
        return true;
    }

    private static bool TryReadPem(
        ReadOnlySpan<char> text, List<CertificateFacts> certificates, List<RevocationList> revocationLists)
    {
        var found = 0;
        while (PemEncoding.TryFind(text, out var fields))
        {
            var label = text[fields.Label];
            if (label is CertificateLabel or RevocationListLabel)
            {
                var der = Convert.FromBase64String(text[fields.Base64Data].ToString());
                if (!TryReadDer(der, certificates, revocationLists))
                    return false;
                found++;
            }
            text = text[fields.Location.End..];
        }
        return found > 0;
    }
}
