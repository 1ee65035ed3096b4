using Gateway.Codec.Types;

namespace Gateway.Server.Diagnostics;

internal static class SecurityFailure
{
    /// <summary>Whether a StatusCode means a refusal for security reasons. The diagnostics count these apart.</summary>
    public static bool Is(StatusCode status) => status.CodeBits is
        StatusCodes.BadSecurityChecksFailed or StatusCodes.BadSecurityPolicyRejected or
        StatusCodes.BadSecurityModeRejected or StatusCodes.BadSecurityModeInsufficient or
        StatusCodes.BadUserAccessDenied or StatusCodes.BadUserSignatureInvalid or
        StatusCodes.BadIdentityTokenInvalid or StatusCodes.BadIdentityTokenRejected or
        StatusCodes.BadApplicationSignatureInvalid or StatusCodes.BadNonceInvalid or
        StatusCodes.BadSecureChannelIdInvalid or StatusCodes.BadSessionIdInvalid or
        StatusCodes.BadSessionNotActivated or
        (>= StatusCodes.BadCertificateInvalid and <= StatusCodes.BadCertificateIssuerRevoked);
}
