namespace Gateway.Codec.Structures;

[Structure(23724, 23725)]
public sealed partial class ServiceCertificateDataType
{
    public byte[]? Certificate { get; init; }

    public byte[]?[]? Issuers { get; init; }

    public DateTime ValidFrom { get; init; }

    public DateTime ValidTo { get; init; }
}
