namespace Gateway.Codec.Structures;

/// <summary>Source: Part 4 §5.6.3.</summary>
[Structure(450, 452)]
public sealed partial class CloseSecureChannelRequest : IServiceRequest
{
    public RequestHeader RequestHeader { get; set; }
}
