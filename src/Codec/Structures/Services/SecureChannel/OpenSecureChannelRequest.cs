namespace Gateway.Codec.Structures;

/// <summary>Source: Part 4 §5.6.2.</summary>
[Structure(444, 446)]
public sealed partial class OpenSecureChannelRequest : IServiceRequest
{
    public RequestHeader RequestHeader { get; set; }

    public uint ClientProtocolVersion { get; init; }

    public SecurityTokenRequestType RequestType { get; init; }

    public MessageSecurityMode SecurityMode { get; init; }

    public byte[]? ClientNonce { get; init; }

    public uint RequestedLifetime { get; init; }
}
