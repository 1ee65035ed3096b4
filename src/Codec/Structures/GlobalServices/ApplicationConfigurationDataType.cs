namespace Gateway.Codec.Structures;

[Structure(23743, 23754)]
public sealed partial class ApplicationConfigurationDataType : BaseConfigurationDataType
{
    public ApplicationIdentityDataType ApplicationIdentity { get; init; } = new();

    public CertificateGroupDataType[]? CertificateGroups { get; init; }

    public ServerEndpointDataType[]? ServerEndpoints { get; init; }

    public EndpointDataType[]? ClientEndpoints { get; init; }

    public SecuritySettingsDataType[]? SecuritySettings { get; init; }

    public UserTokenSettingsDataType[]? UserTokenSettings { get; init; }

    public AuthorizationServiceConfigurationDataType[]? AuthorizationServices { get; init; }
}
