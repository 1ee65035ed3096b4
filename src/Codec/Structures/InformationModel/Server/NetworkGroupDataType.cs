namespace Gateway.Codec.Structures;

[Structure(11944, 11958)]
public sealed partial class NetworkGroupDataType
{
    public string? ServerUri { get; init; }

    public EndpointUrlListDataType[]? NetworkPaths { get; init; }
}
