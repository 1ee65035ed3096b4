namespace Gateway.Operations.Access;

/// <summary>The user of a session or request. Immutable.</summary>
/// <param name="Key">Tells users apart: the user name, a certificate's thumbprint; empty for anonymous.</param>
/// <param name="DisplayName">For logs and diagnostics.</param>
/// <param name="Roles">The user's roles in the gateway.</param>
/// <param name="Kind">The kind of token that proved the user.</param>
public sealed record UserIdentity(string Key, string DisplayName, Roles Roles, UserKind Kind)
{
    public bool IsAnonymous => Kind == UserKind.Anonymous;

    /// <summary>Until when the user is who he is: a timestamp of the gateway's monotonic clock. 0: without an end.
    /// Source: Part 4 §7.40.6.</summary>
    public long ValidUntil { get; init; }

    /// <summary>Of a user by certificate. Null: trust lists do not judge him again.</summary>
    public UserCertificate? Certificate { get; init; }

    /// <summary>The configuration's word for his roles. Null: it does not judge him again.</summary>
    public UserGrant? Grant { get; init; }

    /// <summary>His certificate is no longer trusted (R31), or the configuration says something else of him now.
    /// </summary>
    public bool IsRefused => Certificate is { IsRefused: true } || Grant is { IsRefused: true };

    /// <summary>Null for anonymous. Source: Part 5 §6.4.3.</summary>
    public string? LoginName => IsAnonymous ? null : DisplayName;

    /// <summary>True for the same person, even if the roles have changed (R15).</summary>
    public bool IsSameUser(UserIdentity? other) =>
        other is not null && Kind == other.Kind && string.Equals(Key, other.Key, StringComparison.Ordinal);

    /// <summary>How long he stays who he is; zero where that is over. Timeout.InfiniteTimeSpan: without an end.
    /// </summary>
    /// <param name="time">The gateway's clock.</param>
    public TimeSpan TimeLeft(TimeProvider time) => ValidUntil == 0
        ? Timeout.InfiniteTimeSpan
        : Max(time.GetElapsedTime(time.GetTimestamp(), ValidUntil), TimeSpan.Zero);

    public bool IsOver(TimeProvider time) => ValidUntil != 0 && time.GetTimestamp() >= ValidUntil;

    private static TimeSpan Max(TimeSpan left, TimeSpan right) => left > right ? left : right;
}
