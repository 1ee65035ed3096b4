using Gateway.Admission.Stages;
using Gateway.Codec.Text;
using Gateway.Codec.Types;
using Gateway.Operations.Access;

namespace Gateway.Server.Users;

/// <param name="Status">For the client: Good, Bad_IdentityTokenInvalid, Bad_IdentityTokenRejected,
/// Bad_UserAccessDenied, Bad_UserSignatureInvalid, Bad_ServerTooBusy.</param>
/// <param name="Identity">Present exactly when Good.</param>
/// <param name="Detail">For the audit log, never for the client.</param>
/// <param name="Reason">Other than None where the credentials were not looked at for now: admission counts it.</param>
/// <param name="UserName">That was tried, as the peer sent it: not for <paramref name="Detail"/> to name again. Empty
/// where it was none or too long.</param>
public readonly record struct UserVerdict(
    StatusCode Status, UserIdentity? Identity, string? Detail = null, RefusalReason Reason = RefusalReason.None,
    string UserName = "")
{
    /// <summary>The detail where no field beside it names the user. Escaped.</summary>
    public string? DetailWithUser =>
        string.IsNullOrEmpty(UserName) ? Detail : $"user \"{PeerText.Escape(UserName)}\": {Detail}";
}
