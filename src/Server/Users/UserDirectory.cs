using System.Collections;
using Gateway.Operations.Access;

namespace Gateway.Server.Users;

/// <summary>All users of the configuration in force: one immutable table, swapped whole. Threads: any.</summary>
public sealed class UserDirectory
{
    private volatile UserTable _table;

    public UserDirectory(UserOptions options) => _table = new UserTable(options, before: null);

    /// <param name="accounts">Names and thumbprints occur once each.</param>
    /// <param name="anonymousRoles">Null rejects the anonymous user.</param>
    /// <param name="certificateRoles">For a user whose certificate is trusted but belongs to no account.</param>
    public UserDirectory(IReadOnlyList<UserAccount> accounts, Roles? anonymousRoles, Roles certificateRoles)
        : this(new UserOptions
        {
            Accounts = accounts,
            AnonymousRoles = anonymousRoles,
            TrustedUserRoles = certificateRoles,
        })
    {
    }

    public Roles? AnonymousRoles => _table.AnonymousRoles;

    public Roles CertificateRoles => _table.CertificateRoles;

    /// <summary>Thumbprints of the accounts' certificates, upper-case hexadecimal: trusted without a file. Follows the
    /// configuration.</summary>
    internal IReadOnlySet<string> Thumbprints => new LiveThumbprints(this);

    /// <summary>The cost of every password check, whoever the user is.</summary>
    internal int MaxIterations => _table.MaxIterations;

    /// <summary>Other users from now on. Identities of users who have gone, or have other roles, are refused by their
    /// <see cref="UserIdentity.Grant"/>: their holders look at it. One caller at a time.</summary>
    public void Apply(UserOptions options)
    {
        var (before, next) = (_table, new UserTable(options, _table));
        _table = next;
        before.GiveWayTo(next);
    }

    internal UserAccount? FindByName(string name) => _table.FindByName(name);

    /// <summary>Null: the anonymous user is not let in.</summary>
    internal UserIdentity? Anonymous => _table is { AnonymousRoles: { } roles } table
        ? new UserIdentity("", "Anonymous", roles, UserKind.Anonymous) { Grant = table.AnonymousGrant }
        : null;

    /// <summary>Of a user who has proved his password.</summary>
    /// <param name="account">As it was when he did.</param>
    internal UserIdentity? IdentityOf(UserAccount account)
    {
        var table = _table;
        return table.FindByName(account.Name) is { Password: not null } now
            ? new UserIdentity(now.Name, now.Name, now.Roles, UserKind.UserName) { Grant = table.GrantOf(now) }
            : null;
    }

    /// <summary>Of a user whose certificate is accepted.</summary>
    internal UserIdentity IdentityOf(UserCertificate certificate, string inWords)
    {
        var table = _table;
        var account = table.FindByThumbprint(certificate.Thumbprint);
        return new UserIdentity(
            certificate.Thumbprint, account?.Name ?? inWords, account?.Roles ?? table.CertificateRoles,
            UserKind.Certificate)
        {
            Certificate = certificate,
            Grant = account is null ? table.CertificateGrant : table.GrantOf(account),
        };
    }

    /// <summary>The user as the configuration has him now; null: it does not let him in any more.</summary>
    internal UserIdentity? Renew(UserIdentity user) => user.Kind switch
    {
        UserKind.Anonymous => Anonymous,
        UserKind.UserName => FindByName(user.Key) is { } account ? IdentityOf(account) : null,
        UserKind.Certificate when user.Certificate is { IsRefused: false } certificate =>
            IdentityOf(certificate, user.DisplayName),
        UserKind.Certificate => null,
        _ => user,
    };

    /// <summary>The set of the table of now, for parts that keep it.</summary>
    private sealed class LiveThumbprints(UserDirectory users) : IReadOnlySet<string>
    {
        private IReadOnlySet<string> Now => users._table.Thumbprints;

        public int Count => Now.Count;

        public bool Contains(string item) => Now.Contains(item);

        public bool IsProperSubsetOf(IEnumerable<string> other) => Now.IsProperSubsetOf(other);

        public bool IsProperSupersetOf(IEnumerable<string> other) => Now.IsProperSupersetOf(other);

        public bool IsSubsetOf(IEnumerable<string> other) => Now.IsSubsetOf(other);

        public bool IsSupersetOf(IEnumerable<string> other) => Now.IsSupersetOf(other);

        public bool Overlaps(IEnumerable<string> other) => Now.Overlaps(other);

        public bool SetEquals(IEnumerable<string> other) => Now.SetEquals(other);

        public IEnumerator<string> GetEnumerator() => Now.GetEnumerator();

        IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
    }
}
