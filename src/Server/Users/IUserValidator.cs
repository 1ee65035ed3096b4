using Gateway.Operations.Access;

namespace Gateway.Server.Users;

/// <summary>Checks a user identity token and finds its user. Any thread; blocks none during the work with a private key
/// or a password hash. Errors: in the verdict; throws only for cancellation.</summary>
public interface IUserValidator
{
    /// <summary>As whom a session goes on whose token has expired; null: it ends.</summary>
    UserIdentity? Anonymous => null;

    /// <summary>The user as the configuration has him now; null: it does not let him in any more.</summary>
    UserIdentity? Renew(UserIdentity user) => user;

    /// <summary>Judges the certificates of all present users again: <see cref="UserIdentity.IsRefused"/>.</summary>
    void RecheckCertificates()
    {
    }

    /// <summary>Nobody is this user by his certificate any more, until he logs in again.</summary>
    /// <param name="thumbprint">Of the certificate.</param>
    void RefuseCertificate(string thumbprint)
    {
    }

    ValueTask<UserVerdict> ValidateAsync(UserTokenContext context, CancellationToken cancellationToken);
}
