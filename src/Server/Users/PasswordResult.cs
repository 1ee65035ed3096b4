namespace Gateway.Server.Users;

/// <param name="Account">Null unless the password is right.</param>
/// <param name="IsBusy">The queue was full: the password was not checked.</param>
/// <param name="IsLockedOut">Other tries failed while it waited: the password was not checked.</param>
internal readonly record struct PasswordResult(UserAccount? Account, bool IsBusy = false, bool IsLockedOut = false);
