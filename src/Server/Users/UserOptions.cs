using Gateway.Operations.Access;

namespace Gateway.Server.Users;

/// <summary>The users, as configured. Holds secrets: never logged.</summary>
public sealed record UserOptions
{
    /// <summary><c>Users</c>: names and thumbprints occur once each.</summary>
    public required IReadOnlyList<UserAccount> Accounts { get; init; }

    /// <summary><c>Anonymous:Roles</c>; null rejects the anonymous user.</summary>
    public required Roles? AnonymousRoles { get; init; }

    /// <summary><c>Pki:TrustedUserRoles</c>: for a user whose certificate is trusted and in no account.</summary>
    public required Roles TrustedUserRoles { get; init; }
}
