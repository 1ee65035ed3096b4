using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

/// <summary>Source: Part 4 §5.7.2.</summary>
[Structure(462, 464)]
public sealed partial class CreateSessionResponse : IServiceResponse
{
    public ResponseHeader ResponseHeader { get; set; }

    public NodeId SessionId { get; init; }

    public NodeId AuthenticationToken { get; init; }

    public double RevisedSessionTimeout { get; init; }

    public byte[]? ServerNonce { get; init; }

    public byte[]? ServerCertificate { get; init; }

    public EndpointDescription[]? ServerEndpoints { get; init; }

    public SignedSoftwareCertificate[]? ServerSoftwareCertificates { get; init; }

    public SignatureData ServerSignature { get; init; }

    public uint MaxRequestMessageSize { get; init; }
}
