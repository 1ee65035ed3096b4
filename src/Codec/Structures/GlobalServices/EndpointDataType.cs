namespace Gateway.Codec.Structures;

[Structure(15557, 16544)]
public partial class EndpointDataType : BaseConfigurationRecordDataType
{
    public string?[]? DiscoveryUrls { get; init; }

    public string? NetworkName { get; init; }

    public ushort Port { get; init; }
}
