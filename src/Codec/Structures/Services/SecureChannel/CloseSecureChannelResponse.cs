namespace Gateway.Codec.Structures;

/// <summary>Source: Part 4 §5.6.3.</summary>
[Structure(453, 455)]
public sealed partial class CloseSecureChannelResponse : IServiceResponse
{
    public ResponseHeader ResponseHeader { get; set; }
}
