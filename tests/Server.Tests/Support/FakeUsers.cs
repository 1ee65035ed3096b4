using System.Text;
using Gateway.Admission.Stages;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Operations.Access;
using Gateway.Server.Users;
using Gateway.Transport.Certificates;

namespace Gateway.Server.Tests.Support;

/// <summary>Users by name whose password is their name, unencrypted; the anonymous user has
/// <see cref="AnonymousRoles"/>.</summary>
internal sealed class FakeUsers : IUserValidator
{
    public Roles AnonymousRoles { get; set; } = Roles.Operator;

    public Dictionary<string, Roles> Users { get; } = new()
    {
        ["observer"] = Roles.Observer,
        ["operator"] = Roles.Operator,
        ["engineer"] = Roles.Engineer,
        ["admin"] = Roles.SecurityAdmin,
        ["nobody"] = Roles.None,
    };

    /// <summary>Until when a user is who he is; a timestamp of the fixture's time.</summary>
    public Dictionary<string, long> Ends { get; } = [];

    public bool LetsInAnonymous { get; set; } = true;

    public UserIdentity? Anonymous =>
        LetsInAnonymous ? new UserIdentity("", "anonymous", AnonymousRoles, UserKind.Anonymous) : null;

    public List<UserTokenContext> Contexts { get; } = [];

    /// <summary>When set, answers wait for it.</summary>
    public TaskCompletionSource? Gate { get; set; }

    /// <summary>When set, nobody's credentials are looked at.</summary>
    public RefusalReason Reason { get; set; }

    /// <summary>What is wrong with the certificates of users.</summary>
    public CertificateVerdict? Refused { get; set; }

    public async ValueTask<UserVerdict> ValidateAsync(UserTokenContext context, CancellationToken cancellationToken)
    {
        Contexts.Add(context);
        if (Gate is { } gate)
            await gate.Task.WaitAsync(cancellationToken);
        if (Reason != RefusalReason.None)
            return new UserVerdict(StatusCodes.BadServerTooBusy, null, "refused", Reason);
        return context.Token switch
        {
            AnonymousIdentityToken => new UserVerdict(
                StatusCode.Good, new UserIdentity("", "anonymous", AnonymousRoles, UserKind.Anonymous)),
            UserNameIdentityToken token => Check(token),
            IssuedIdentityToken token => Check(token),
            _ => new UserVerdict(StatusCodes.BadIdentityTokenRejected, null) { Certificate = Refused },
        };
    }

    /// <summary>The token of a user is his name.</summary>
    private UserVerdict Check(IssuedIdentityToken token)
    {
        var name = Encoding.UTF8.GetString(token.TokenData ?? []);
        return Users.TryGetValue(name, out var roles)
            ? new UserVerdict(StatusCode.Good, new UserIdentity(name, name, roles, UserKind.IssuedToken)
            {
                ValidUntil = Ends.GetValueOrDefault(name),
            })
            : new UserVerdict(StatusCodes.BadIdentityTokenRejected, null, "wrong token");
    }

    private UserVerdict Check(UserNameIdentityToken token)
    {
        var name = token.UserName ?? "";
        var isGood = Users.TryGetValue(name, out var roles) &&
            Encoding.UTF8.GetString(token.Password ?? []) == name;
        return isGood
            ? new UserVerdict(StatusCode.Good, new UserIdentity(name, name, roles, UserKind.UserName)
            {
                ValidUntil = Ends.GetValueOrDefault(name),
            })
            : new UserVerdict(StatusCodes.BadUserAccessDenied, null, "wrong password");
    }
}
