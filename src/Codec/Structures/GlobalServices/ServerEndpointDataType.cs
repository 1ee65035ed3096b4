namespace Gateway.Codec.Structures;

[Structure(15558, 16545)]
public sealed partial class ServerEndpointDataType : EndpointDataType
{
    public string?[]? EndpointUrls { get; init; }

    public string?[]? SecuritySettingNames { get; init; }

    public string? TransportProfileUri { get; init; }

    public string?[]? UserTokenSettingNames { get; init; }

    public string?[]? ReverseConnectUrls { get; init; }
}
