namespace Gateway.Codec.Structures;

[Structure(12891, 12901)]
public sealed partial class MdnsDiscoveryConfiguration : DiscoveryConfiguration
{
    public string? MdnsServerName { get; init; }

    public string?[]? ServerCapabilities { get; init; }
}
