using Gateway.Admission.Stages;
using Gateway.Codec.Text;
using Gateway.Codec.Types;
using Gateway.Operations.Access;
using Gateway.Transport.Certificates;

namespace Gateway.Server.Users;

/// <param name="Status">For the client: Good, Bad_IdentityTokenInvalid, Bad_IdentityTokenRejected,
/// Bad_UserAccessDenied, Bad_UserSignatureInvalid, Bad_ServerTooBusy.</param>
/// <param name="Identity">Present exactly when Good.</param>
/// <param name="Detail">For the audit log, never for the client.</param>
/// <param name="Reason">Other than None if the credentials were not checked for now: admission counts it.</param>
/// <param name="UserName">The name that was tried, as the peer sent it; <paramref name="Detail"/> does not repeat it.
/// Empty for none or one that is too long.</param>
public readonly record struct UserVerdict(
    StatusCode Status, UserIdentity? Identity, string? Detail = null, RefusalReason Reason = RefusalReason.None,
    string UserName = "")
{
    /// <summary>The fault of a token that was refused; None for other users.</summary>
    public TokenFault Fault { get; init; }

    /// <summary>Of the user's certificate where that is what was refused: it has an audit event of its own.</summary>
    public CertificateVerdict? Certificate { get; init; }

    /// <summary>The detail where no field beside it names the user. Escaped.</summary>
    public string? DetailWithUser =>
        string.IsNullOrEmpty(UserName) ? Detail : $"user \"{PeerText.Escape(UserName)}\": {Detail}";
}
