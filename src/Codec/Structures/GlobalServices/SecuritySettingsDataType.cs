namespace Gateway.Codec.Structures;

[Structure(15559, 16546)]
public sealed partial class SecuritySettingsDataType : BaseConfigurationRecordDataType
{
    public MessageSecurityMode[]? SecurityModes { get; init; }

    public string?[]? SecurityPolicyUris { get; init; }

    public string? CertificateGroupName { get; init; }
}
