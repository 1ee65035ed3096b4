using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

[Structure(15436, 16540)]
public sealed partial class CertificateGroupDataType : BaseConfigurationRecordDataType
{
    public NodeId Purpose { get; init; }

    public NodeId[]? CertificateTypes { get; init; }

    public bool[]? IsCertificateAssigned { get; init; }

    public TrustListValidationOptions ValidationOptions { get; init; }
}
