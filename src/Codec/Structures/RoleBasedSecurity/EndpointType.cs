namespace Gateway.Codec.Structures;

[Structure(15528, 15671)]
public sealed partial class EndpointType
{
    public string? EndpointUrl { get; init; }

    public MessageSecurityMode SecurityMode { get; init; }

    public string? SecurityPolicyUri { get; init; }

    public string? TransportProfileUri { get; init; }
}
