using System.Collections.Concurrent;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace Gateway.Transport.Tests.Certificates;

internal static class TestCertificates
{
    private static readonly ConcurrentDictionary<string, RSA> Keys = new();
    private static int _serial;

    public static RSA KeyOf(TestRecipe recipe) =>
        Keys.GetOrAdd($"{recipe.KeyName}/{recipe.KeyBits}", _ => RSA.Create(recipe.KeyBits));

    public static byte[] SelfSigned(TestRecipe recipe) => Signed(recipe, recipe);

    public static byte[] Signed(TestRecipe recipe, TestRecipe issuer)
    {
        var key = KeyOf(recipe);
        var request = new CertificateRequest(
            new X500DistinguishedName(recipe.Subject), key, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1);
        var extensions = request.CertificateExtensions;
        extensions.Add(new X509BasicConstraintsExtension(
            recipe.IsAuthority, recipe.PathLength is not null, recipe.PathLength ?? 0, critical: true));
        if (recipe.KeyUsage is { } usage)
            extensions.Add(new X509KeyUsageExtension(usage, critical: true));
        if (recipe.ExtendedKeyUsage.Length > 0)
        {
            var usages = new OidCollection();
            foreach (var oid in recipe.ExtendedKeyUsage)
                usages.Add(new Oid(oid));
            extensions.Add(new X509EnhancedKeyUsageExtension(usages, critical: false));
        }
        if (recipe.Uri.Length > 0)
            extensions.Add(AlternativeName(recipe.Uri));
        if (recipe.HasCriticalExtension)
            extensions.Add(new X509Extension("1.3.6.1.4.1.99999.1", [5, 0], critical: true));
        var generator = recipe.Hash == "SHA256"
            ? X509SignatureGenerator.CreateForRSA(KeyOf(issuer), RSASignaturePadding.Pkcs1)
            : new WeakSignatureGenerator(KeyOf(issuer));
        using var certificate = request.Create(
            new X500DistinguishedName(issuer.Subject), generator, recipe.NotBefore, recipe.NotAfter,
            BitConverter.GetBytes(Interlocked.Increment(ref _serial) | 0x01000000));
        return certificate.RawData;
    }

    public static byte[] RevocationList(
        TestRecipe issuer, DateTimeOffset nextUpdate, byte[][] revoked, string? keyName = null)
    {
        var builder = new CertificateRevocationListBuilder();
        foreach (var der in revoked)
        {
            using var certificate = X509CertificateLoader.LoadCertificate(der);
            builder.AddEntry(certificate, new DateTimeOffset(2025, 6, 1, 0, 0, 0, TimeSpan.Zero));
        }
        var key = KeyOf(keyName is null ? issuer : issuer with { KeyName = keyName });
        return builder.Build(
            new X500DistinguishedName(issuer.Subject),
                X509SignatureGenerator.CreateForRSA(key, RSASignaturePadding.Pkcs1),
            1, nextUpdate, HashAlgorithmName.SHA256,
            X509AuthorityKeyIdentifierExtension.CreateFromSubjectKeyIdentifier([1, 2, 3, 4]),
            new DateTimeOffset(2025, 6, 1, 0, 0, 0, TimeSpan.Zero));
    }

    /// <summary>By hand, so that any text can stand in it.</summary>
    private static X509Extension AlternativeName(string uri)
    {
        var writer = new System.Formats.Asn1.AsnWriter(System.Formats.Asn1.AsnEncodingRules.DER);
        using (writer.PushSequence())
        {
            writer.WriteOctetString(
                System.Text.Encoding.UTF8.GetBytes(uri),
                new System.Formats.Asn1.Asn1Tag(System.Formats.Asn1.TagClass.ContextSpecific, 6));
        }
        return new X509Extension("2.5.29.17", writer.Encode(), critical: false);
    }
}
