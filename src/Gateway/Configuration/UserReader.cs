using System.Text;
using Gateway.Operations.Access;
using Gateway.Server.Users;

namespace Gateway.Host.Configuration;

/// <summary>Reads <c>Users</c>, <c>Anonymous:*</c> and <c>Pki:TrustedUserRoles</c>.</summary>
internal static class UserReader
{
    /// <summary>A hash costs as much as a login: a check of a thousand users makes none.</summary>
    private static readonly Lazy<PasswordHash> AnyHash = new(static () => HashOf("any"));

    public static UserOptions Read(SettingsReader settings) => new()
    {
        AnonymousRoles = Anonymous(settings),
        TrustedUserRoles = RolesOf(settings, "Pki:TrustedUserRoles", Roles.Observer),
        Accounts = Users(settings),
    };

    private static Roles? Anonymous(SettingsReader settings)
    {
        var isEnabled = settings.Flag("Anonymous:Enabled", true);
        var roles = RolesOf(settings, "Anonymous:Roles", Roles.Observer);
        if (settings.IsDemo)
            return roles | Roles.Observer | Roles.Operator;
        return isEnabled ? roles : null;
    }

    private static Roles RolesOf(SettingsReader settings, string key, Roles byDefault)
    {
        var names = settings.NonEmptyList(key);
        var roles = Roles.None;
        foreach (var name in names)
            roles |= RoleOf(settings, key, name);
        return names.Length == 0 ? byDefault : roles;
    }

    /// <summary>One role by its name. Errors: under the key.</summary>
    public static Roles RoleOf(SettingsReader settings, string key, string name)
    {
        if (Enum.TryParse<Roles>(name, ignoreCase: true, out var role) && Enum.IsDefined(role))
            return role;
        settings.Error(key, $"'{name}' is no role; roles are {string.Join(", ", Enum.GetNames<Roles>().Skip(1))}");
        return Roles.None;
    }

    private static UserAccount[] Users(SettingsReader settings)
    {
        var users = new List<UserAccount>();
        foreach (var key in settings.Elements("Users"))
        {
            var user = new UserAccount(
                settings.Named($"{key}:Name", ""), Password(settings, key), Thumbprint(settings, key),
                RolesOf(settings, $"{key}:Roles", Roles.Observer));
            if (user.Password is null && user.Thumbprint is null)
                settings.Error(key, "has none of PasswordHash, Password and CertificateThumbprint");
            if (users.Exists(other => other.Name == user.Name))
                settings.Error($"{key}:Name", $"'{user.Name}' is there twice");
            if (user.Thumbprint is not null && users.Exists(other => other.Thumbprint == user.Thumbprint))
                settings.Error($"{key}:CertificateThumbprint", "belongs to another user too");
            users.Add(user);
        }
        return [.. users];
    }

    private static PasswordHash? Password(SettingsReader settings, string key)
    {
        var text = settings.Text($"{key}:PasswordHash");
        var plain = settings.Text($"{key}:Password");
        if (text.Length > 0 && plain.Length > 0)
            settings.Error($"{key}:Password", "is there beside a PasswordHash; keep one");
        if (text.Length == 0)
            return plain.Length == 0 ? null : settings.IsCandidate ? AnyHash.Value : HashOf(plain);
        // The text itself is a secret of sorts: it is not repeated.
        if (!PasswordHash.TryParse(text, out var hash))
            settings.Error($"{key}:PasswordHash", "is no hash as --hash-password prints it");
        return hash;
    }

    private static PasswordHash HashOf(string password) => PasswordHash.Create(Encoding.UTF8.GetBytes(password));

    private static string? Thumbprint(SettingsReader settings, string key)
    {
        var text = settings.Text($"{key}:CertificateThumbprint").Replace(":", "", StringComparison.Ordinal).Trim();
        if (text.Length == 0)
            return null;
        if (text.Length != 40 || !text.All(char.IsAsciiHexDigit))
            settings.Error($"{key}:CertificateThumbprint", "is no SHA-1 thumbprint of 40 hexadecimal digits");
        return text.ToUpperInvariant();
    }
}
