using System.Collections.Frozen;
using Gateway.Operations.Access;

namespace Gateway.Server.Users;

/// <summary>All users of one configuration, each with the grant of what they are by it; immutable.</summary>
internal sealed class UserTable
{
    private readonly FrozenDictionary<string, UserAccount> _byName;
    private readonly FrozenDictionary<string, UserAccount> _byThumbprint;
    private readonly FrozenDictionary<string, UserGrant> _grants;

    /// <param name="options">Names and thumbprints occur once each.</param>
    /// <param name="before">The grants of users who stay what they are stay too; null: there is none.</param>
    public UserTable(UserOptions options, UserTable? before)
    {
        (AnonymousRoles, CertificateRoles) = (options.AnonymousRoles, options.TrustedUserRoles);
        AnonymousGrant = before is not null && before.AnonymousRoles == AnonymousRoles ? before.AnonymousGrant : new();
        CertificateGrant =
            before is not null && before.CertificateRoles == CertificateRoles ? before.CertificateGrant : new();
        _byName = options.Accounts.ToFrozenDictionary(account => account.Name, StringComparer.Ordinal);
        _byThumbprint = options.Accounts.Where(account => account.Thumbprint is not null)
            .ToFrozenDictionary(account => account.Thumbprint!, StringComparer.OrdinalIgnoreCase);
        _grants = options.Accounts.ToFrozenDictionary(
            account => account.Name, account => before?.GrantOfSame(account) ?? new(), StringComparer.Ordinal);
        Thumbprints = _byThumbprint.Keys.ToFrozenSet(StringComparer.Ordinal);
        MaxIterations = options.Accounts.Select(account => account.Password?.Iterations ?? 0)
            .DefaultIfEmpty(PasswordHash.DefaultIterations).Max();
    }

    public Roles? AnonymousRoles { get; }

    public UserGrant AnonymousGrant { get; }

    public Roles CertificateRoles { get; }

    /// <summary>Of users whose certificate is trusted and belongs to no account.</summary>
    public UserGrant CertificateGrant { get; }

    /// <inheritdoc cref="UserDirectory.Thumbprints"/>
    public FrozenSet<string> Thumbprints { get; }

    /// <inheritdoc cref="UserDirectory.MaxIterations"/>
    public int MaxIterations { get; }

    public UserAccount? FindByName(string name) => _byName.GetValueOrDefault(name);

    public UserAccount? FindByThumbprint(string thumbprint) => _byThumbprint.GetValueOrDefault(thumbprint);

    public UserGrant GrantOf(UserAccount account) => _grants[account.Name];

    /// <summary>Refuses the grants that the next table does not have.</summary>
    public void GiveWayTo(UserTable next)
    {
        var kept = next._grants.Values.Append(next.AnonymousGrant).Append(next.CertificateGrant)
            .ToHashSet(ReferenceEqualityComparer.Instance);
        foreach (var grant in _grants.Values.Append(AnonymousGrant).Append(CertificateGrant))
        {
            if (!kept.Contains(grant))
                grant.Refuse();
        }
    }

    /// <summary>A new password alone changes nothing for those who are logged in.</summary>
    private UserGrant? GrantOfSame(UserAccount next) =>
        FindByName(next.Name) is { } account && account.Roles == next.Roles && account.Thumbprint == next.Thumbprint &&
        account.Password is null == next.Password is null
            ? _grants[next.Name]
            : null;
}
