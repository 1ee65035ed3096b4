namespace Gateway.Codec.Structures;

[Structure(23744, 23755)]
public sealed partial class AuthorizationServiceConfigurationDataType : BaseConfigurationRecordDataType
{
    public string? ServiceUri { get; init; }

    public ServiceCertificateDataType[]? ServiceCertificates { get; init; }

    public string? IssuerEndpointSettings { get; init; }
}
