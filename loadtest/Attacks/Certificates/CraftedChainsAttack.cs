using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace Gateway.Loadtest.Attacks.Certificates;

/// <summary>Issuers with keys of 8,192 bits behind a leaf that names them: they have signed nothing, and to find that
/// out costs much.</summary>
internal sealed class CraftedChainsAttack : CertificateAttack
{
    private const int KeyBits = 8192;
    private const int Issuers = 8;
    private readonly Lock _lock = new();
    private byte[] _chain = [];

    public override string Name => "crafted-chains";

    public override string Summary =>
        "OPNs with issuers of 8,192 bits in their chain: none is used, and the good client does not notice.";

    public override string Rules => "R11, R33";

    protected override int CountOf(AttackContext context) => context.Pick(full: 20_000, small: 500);

    protected override byte[] ChainOf(byte[] leaf, int number)
    {
        lock (_lock)
        {
            if (_chain.Length == 0)
                _chain = Make(leaf);
            return _chain;
        }
    }

    /// <summary>Under the name that the leaf gives its issuer. It is self-signed: with another last byte its own key
    /// has not signed it, and the others are asked.</summary>
    private static byte[] Make(byte[] leaf)
    {
        using var named = X509CertificateLoader.LoadCertificate(leaf);
        using var signer = RSA.Create(2048);
        var all = new List<byte>(leaf);
        all[^1] ^= 1;
        for (var i = 0; i < Issuers; i++)
        {
            var modulus = RandomNumberGenerator.GetBytes(KeyBits / 8);
            modulus[0] |= 0x80;
            modulus[^1] |= 1;
            using var key = RSA.Create(new RSAParameters { Modulus = modulus, Exponent = [1, 0, 1] });
            var request = new CertificateRequest(
                named.IssuerName, key, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1);
            request.CertificateExtensions.Add(new X509BasicConstraintsExtension(true, false, 0, critical: true));
            using var issuer = request.Create(
                named.IssuerName, X509SignatureGenerator.CreateForRSA(signer, RSASignaturePadding.Pkcs1),
                named.NotBefore, named.NotAfter, [1, 2, 3, (byte)(i + 1)]);
            all.AddRange(issuer.RawData);
        }

        return [.. all];
    }
}
