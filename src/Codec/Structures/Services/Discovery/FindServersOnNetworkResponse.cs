namespace Gateway.Codec.Structures;

/// <summary>Source: Part 4 §5.5.3.</summary>
[Structure(12191, 12209)]
public sealed partial class FindServersOnNetworkResponse : IServiceResponse
{
    public ResponseHeader ResponseHeader { get; set; }

    public DateTime LastCounterResetTime { get; init; }

    public ServerOnNetwork[]? Servers { get; init; }
}
