namespace Gateway.Server.Users;

/// <summary>What <see cref="FailedLogins"/> says of a try.</summary>
internal enum LoginTurn
{
    /// <summary>Refuse without looking.</summary>
    Refused,

    /// <summary>Nothing is against it for now.</summary>
    Free,

    /// <summary>It is the one that is looked at in this interval.</summary>
    Taken,
}
