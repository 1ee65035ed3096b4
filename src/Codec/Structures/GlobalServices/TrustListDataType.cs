namespace Gateway.Codec.Structures;

[Structure(12554, 12680)]
public sealed partial class TrustListDataType
{
    public uint SpecifiedLists { get; init; }

    public byte[]?[]? TrustedCertificates { get; init; }

    public byte[]?[]? TrustedCrls { get; init; }

    public byte[]?[]? IssuerCertificates { get; init; }

    public byte[]?[]? IssuerCrls { get; init; }
}
