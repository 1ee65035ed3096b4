namespace Gateway.Codec.Structures;

[Structure(11943, 11957)]
public sealed partial class EndpointUrlListDataType
{
    public string?[]? EndpointUrlList { get; init; }
}
