namespace Gateway.Operations.Access;

/// <summary>Who a session acts for. Immutable.</summary>
/// <param name="Key">Tells users apart: the user name, a certificate's thumbprint; empty for anonymous.</param>
/// <param name="DisplayName">For logs and diagnostics.</param>
/// <param name="Roles">What the user may be here.</param>
/// <param name="Kind">How he proved it.</param>
public sealed record UserIdentity(string Key, string DisplayName, Roles Roles, UserKind Kind)
{
    public bool IsAnonymous => Kind == UserKind.Anonymous;

    /// <summary>Null for anonymous. Source: Part 5 §6.4.3.</summary>
    public string? LoginName => IsAnonymous ? null : DisplayName;

    /// <summary>The same person, whatever his roles are by now (R15).</summary>
    public bool IsSameUser(UserIdentity? other) =>
        other is not null && Kind == other.Kind && string.Equals(Key, other.Key, StringComparison.Ordinal);
}
