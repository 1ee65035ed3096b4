using System.Collections.Frozen;
using Gateway.Operations.Access;

namespace Gateway.Server.Users;

/// <summary>All users of the configuration; immutable, swapped whole.</summary>
public sealed class UserDirectory
{
    private readonly FrozenDictionary<string, UserAccount> _byName;
    private readonly FrozenDictionary<string, UserAccount> _byThumbprint;

    public UserDirectory(UserOptions options)
        : this(options.Accounts, options.AnonymousRoles, options.TrustedUserRoles)
    {
    }

    /// <param name="accounts">Names and thumbprints occur once each.</param>
    /// <param name="anonymousRoles">Null rejects the anonymous user.</param>
    /// <param name="certificateRoles">For a user whose certificate is trusted but belongs to no account.</param>
    public UserDirectory(IReadOnlyCollection<UserAccount> accounts, Roles? anonymousRoles, Roles certificateRoles)
    {
        AnonymousRoles = anonymousRoles;
        CertificateRoles = certificateRoles;
        _byName = accounts.ToFrozenDictionary(account => account.Name, StringComparer.Ordinal);
        _byThumbprint = accounts.Where(account => account.Thumbprint is not null)
            .ToFrozenDictionary(account => account.Thumbprint!, StringComparer.OrdinalIgnoreCase);
        MaxIterations = accounts.Select(account => account.Password?.Iterations ?? 0)
            .DefaultIfEmpty(PasswordHash.DefaultIterations).Max();
    }

    public Roles? AnonymousRoles { get; }

    public Roles CertificateRoles { get; }

    /// <summary>Thumbprints of the accounts' certificates, upper-case hexadecimal: trusted without a file.</summary>
    internal IReadOnlySet<string> Thumbprints =>
        _byThumbprint.Keys.ToHashSet(StringComparer.Ordinal);

    /// <summary>The cost of every password check, whoever the user is.</summary>
    internal int MaxIterations { get; }

    internal UserAccount? FindByName(string name) => _byName.GetValueOrDefault(name);

    internal UserAccount? FindByThumbprint(string thumbprint) => _byThumbprint.GetValueOrDefault(thumbprint);
}
