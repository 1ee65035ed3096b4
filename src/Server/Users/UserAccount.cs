using Gateway.Operations.Access;

namespace Gateway.Server.Users;

/// <summary>A configured user.</summary>
/// <param name="Name">Compared exactly.</param>
/// <param name="Password">Null for a user who logs in with a certificate only.</param>
/// <param name="Thumbprint">SHA-1 of the user's certificate in hexadecimal; null without one.</param>
public sealed record UserAccount(string Name, PasswordHash? Password, string? Thumbprint, Roles Roles);
