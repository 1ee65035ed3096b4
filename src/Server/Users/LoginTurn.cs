namespace Gateway.Server.Users;

/// <summary>The verdict of <see cref="FailedLogins"/> on a try.</summary>
internal enum LoginTurn
{
    /// <summary>Refuse it without a check.</summary>
    Refused,

    /// <summary>No limit applies for now.</summary>
    Free,

    /// <summary>The one try that is checked in this interval.</summary>
    Taken,
}
