using System.Buffers.Binary;

namespace Gateway.Loadtest.Attacks.Certificates;

/// <summary>Each OPN with other junk behind the leaf, so that each blob is a new one.</summary>
internal sealed class CertificateJunkAttack : CertificateAttack
{
    private const int JunkBytes = 6 * 1024;

    public override string Name => "certificate-junk";

    public override string Summary =>
        "60,000 OPNs of an accepted leaf with changing junk in its chain: nothing is remembered of them.";

    public override string Rules => "R47, R43";

    protected override int CountOf(AttackContext context) => context.Pick(full: 60_000, small: 1_000);

    /// <summary>Behind the leaf a SEQUENCE that is no certificate.</summary>
    protected override byte[] ChainOf(byte[] leaf, int number)
    {
        var junk = new byte[JunkBytes];
        junk[0] = 0x30;
        junk[1] = 0x82;
        BinaryPrimitives.WriteUInt16BigEndian(junk.AsSpan(2), JunkBytes - 4);
        BinaryPrimitives.WriteInt32BigEndian(junk.AsSpan(4), number);
        return [.. leaf, .. junk];
    }
}
