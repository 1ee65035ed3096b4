namespace Gateway.Codec.Structures;

/// <summary>Source: Part 4 §5.6.2.</summary>
[Structure(447, 449)]
public sealed partial class OpenSecureChannelResponse : IServiceResponse
{
    public ResponseHeader ResponseHeader { get; set; }

    public uint ServerProtocolVersion { get; init; }

    public ChannelSecurityToken SecurityToken { get; init; }

    public byte[]? ServerNonce { get; init; }
}
