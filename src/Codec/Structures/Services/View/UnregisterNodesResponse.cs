namespace Gateway.Codec.Structures;

/// <summary>Source: Part 4 §5.9.6.</summary>
[Structure(567, 569)]
public sealed partial class UnregisterNodesResponse : IServiceResponse
{
    public ResponseHeader ResponseHeader { get; set; }
}
