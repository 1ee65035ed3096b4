using Gateway.Operations.Access;

namespace Gateway.Server.Users;

/// <summary>A user whom the configuration names.</summary>
/// <param name="Name">Compared exactly.</param>
/// <param name="Password">Null for a user who only signs in with a certificate.</param>
/// <param name="Thumbprint">SHA-1 of the user's certificate in hexadecimal; null for one who has none.</param>
public sealed record UserAccount(string Name, PasswordHash? Password, string? Thumbprint, Roles Roles);
