using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

[Structure(18794, 18930)]
public sealed partial class DtlsPubSubConnectionDataType
{
    public string? ClientCipherSuite { get; init; }

    public string?[]? ServerCipherSuites { get; init; }

    public bool ZeroRTT { get; init; }

    public NodeId CertificateGroupId { get; init; }

    public bool VerifyClientCertificate { get; init; }
}
