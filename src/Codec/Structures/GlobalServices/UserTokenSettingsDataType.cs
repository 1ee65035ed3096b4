namespace Gateway.Codec.Structures;

[Structure(15560, 16547)]
public sealed partial class UserTokenSettingsDataType : BaseConfigurationRecordDataType
{
    public UserTokenType TokenType { get; init; }

    public string? IssuedTokenType { get; init; }

    public string? IssuerEndpointUrl { get; init; }

    public string? SecurityPolicyUri { get; init; }

    public string? CertificateGroupName { get; init; }

    public string? AuthorizationServiceName { get; init; }
}
