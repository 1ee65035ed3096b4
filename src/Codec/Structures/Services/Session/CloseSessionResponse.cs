namespace Gateway.Codec.Structures;

/// <summary>Source: Part 4 §5.7.4.</summary>
[Structure(474, 476)]
public sealed partial class CloseSessionResponse : IServiceResponse
{
    public ResponseHeader ResponseHeader { get; set; }
}
