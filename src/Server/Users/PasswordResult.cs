namespace Gateway.Server.Users;

/// <param name="Account">Null unless the password is right.</param>
/// <param name="IsBusy">Too many wait: it was not looked at.</param>
/// <param name="IsLockedOut">Others failed while it waited: it was not looked at.</param>
internal readonly record struct PasswordResult(UserAccount? Account, bool IsBusy = false, bool IsLockedOut = false);
