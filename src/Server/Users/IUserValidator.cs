using Gateway.Operations.Access;

namespace Gateway.Server.Users;

/// <summary>Checks a user identity token and finds its user. Any thread; blocks none during the work with a private key
/// or a password hash. Errors: in the verdict; throws only for cancellation.</summary>
public interface IUserValidator
{
    /// <summary>As whom a session goes on whose token has expired; null: it ends.</summary>
    UserIdentity? Anonymous => null;

    ValueTask<UserVerdict> ValidateAsync(UserTokenContext context, CancellationToken cancellationToken);
}
