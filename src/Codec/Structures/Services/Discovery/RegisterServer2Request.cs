using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

/// <summary>Source: Part 4 §5.5.6.</summary>
[Structure(12193, 12211)]
public sealed partial class RegisterServer2Request : IServiceRequest
{
    public RequestHeader RequestHeader { get; set; }

    public RegisteredServer Server { get; init; } = new();

    public ExtensionObject[]? DiscoveryConfiguration { get; init; }
}
