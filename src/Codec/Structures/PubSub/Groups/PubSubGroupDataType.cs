namespace Gateway.Codec.Structures;

[Structure(15609, 15689)]
public partial class PubSubGroupDataType
{
    public string? Name { get; init; }

    public bool Enabled { get; init; }

    public MessageSecurityMode SecurityMode { get; init; }

    public string? SecurityGroupId { get; init; }

    public EndpointDescription[]? SecurityKeyServices { get; init; }

    public uint MaxNetworkMessageSize { get; init; }

    public KeyValuePair[]? GroupProperties { get; init; }
}
