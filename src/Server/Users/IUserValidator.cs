namespace Gateway.Server.Users;

/// <summary>Decides who a user identity token speaks for. Any thread; holds none while a private key or a password hash
/// is worked on. Errors: in the verdict, never an exception but for cancellation.</summary>
public interface IUserValidator
{
    ValueTask<UserVerdict> ValidateAsync(UserTokenContext context, CancellationToken cancellationToken);
}
