using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

[Structure(868, 870)]
public sealed partial class SessionSecurityDiagnosticsDataType
{
    public NodeId SessionId { get; init; }

    public string? ClientUserIdOfSession { get; init; }

    public string?[]? ClientUserIdHistory { get; init; }

    public string? AuthenticationMechanism { get; init; }

    public string? Encoding { get; init; }

    public string? TransportProtocol { get; init; }

    public MessageSecurityMode SecurityMode { get; init; }

    public string? SecurityPolicyUri { get; init; }

    public byte[]? ClientCertificate { get; init; }
}
