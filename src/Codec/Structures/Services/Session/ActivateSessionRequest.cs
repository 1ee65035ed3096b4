using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

/// <summary>Source: Part 4 §5.7.3.</summary>
[Structure(465, 467)]
public sealed partial class ActivateSessionRequest : IServiceRequest
{
    public RequestHeader RequestHeader { get; set; }

    public SignatureData ClientSignature { get; init; }

    public SignedSoftwareCertificate[]? ClientSoftwareCertificates { get; init; }

    public string?[]? LocaleIds { get; init; }

    public ExtensionObject UserIdentityToken { get; init; }

    public SignatureData UserTokenSignature { get; init; }
}
