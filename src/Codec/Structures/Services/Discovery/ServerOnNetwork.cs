namespace Gateway.Codec.Structures;

[Structure(12189, 12207)]
public sealed partial class ServerOnNetwork
{
    public uint RecordId { get; init; }

    public string? ServerName { get; init; }

    public string? DiscoveryUrl { get; init; }

    public string?[]? ServerCapabilities { get; init; }
}
