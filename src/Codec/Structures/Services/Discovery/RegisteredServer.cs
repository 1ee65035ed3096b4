using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

[Structure(432, 434)]
public sealed partial class RegisteredServer
{
    public string? ServerUri { get; init; }

    public string? ProductUri { get; init; }

    public LocalizedText[]? ServerNames { get; init; }

    public ApplicationType ServerType { get; init; }

    public string? GatewayServerUri { get; init; }

    public string?[]? DiscoveryUrls { get; init; }

    public string? SemaphoreFilePath { get; init; }

    public bool IsOnline { get; init; }
}
