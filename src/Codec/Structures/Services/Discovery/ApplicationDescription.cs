using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

[Structure(308, 310)]
public sealed partial class ApplicationDescription
{
    public string? ApplicationUri { get; init; }

    public string? ProductUri { get; init; }

    public LocalizedText ApplicationName { get; init; }

    public ApplicationType ApplicationType { get; init; }

    public string? GatewayServerUri { get; init; }

    public string? DiscoveryProfileUri { get; init; }

    public string?[]? DiscoveryUrls { get; init; }
}
