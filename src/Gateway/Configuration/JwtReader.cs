using System.Net;
using Gateway.Host.Files;
using Gateway.Host.Tokens;
using Gateway.Operations.Access;

namespace Gateway.Host.Configuration;

/// <summary>Reads <c>Jwt:*</c>. One key alone is an error: it would look as if tokens were taken.</summary>
internal static class JwtReader
{
    private const string RolesKey = "Jwt:Roles";

    public static JwtOptions Read(SettingsReader settings)
    {
        var options = new JwtOptions
        {
            Issuer = settings.Text("Jwt:Issuer"),
            Audience = settings.Text("Jwt:Audience"),
            KeysPath = settings.Text("Jwt:KeysPath"),
            KeysUrl = Url(settings),
            RoleClaim = settings.Named("Jwt:RoleClaim", new JwtOptions().RoleClaim),
            Roles = RolesOf(settings),
        };
        if (!settings.HasAny("Jwt"))
            return options;
        foreach (var (key, text) in new[] { ("Jwt:Issuer", options.Issuer), ("Jwt:Audience", options.Audience) })
        {
            if (string.IsNullOrWhiteSpace(text))
                settings.Error(key, "is empty: tokens are taken of one issuer and for one audience");
        }

        if (options.KeysPath.Length == 0 == (settings.Text("Jwt:KeysUrl").Length == 0))
            settings.Error("Jwt:KeysPath", "give one of Jwt:KeysPath and Jwt:KeysUrl");
        else if (options.KeysPath.Length > 0)
            CheckFile(settings, options.KeysPath);
        if (options.Roles.Count == 0)
            settings.Error(RolesKey, "no claim value gives a role: write Jwt:Roles:<claim value>=Operator");
        return options;
    }

    private static Uri? Url(SettingsReader settings)
    {
        const string Key = "Jwt:KeysUrl";
        var text = settings.Text(Key);
        if (text.Length == 0)
            return null;
        if (!Uri.TryCreate(text, UriKind.Absolute, out var url) || url.Scheme is not ("https" or "http"))
            settings.Error(Key, $"'{text}' is no https URL");
        // It would stand in the log, and it is never sent.
        else if (url.UserInfo.Length > 0)
            settings.Error(Key, "names a user: keys are asked for without a login");
        else if (url.Scheme == "http" && !IsLoopback(url))
            settings.Error(Key, $"'{text}' is not https: whoever is on the way could give the gateway keys of his own");
        return url;
    }

    private static bool IsLoopback(Uri url) =>
        url.Host == "localhost" || (IPAddress.TryParse(url.Host.Trim('[', ']'), out var host) &&
            IPAddress.IsLoopback(host));

    private static void CheckFile(SettingsReader settings, string path)
    {
        try
        {
            var limits = settings.Quietly(
                static quiet => new LimitsReader(quiet, MemoryShare.Memory).Read<TokenLimits>());
            WatchedFiles<TokenKeySet>.Load([path], limits.MaxTokenKeysBytes, FileTokenKeys.Reader(limits));
        }
        catch (Exception error) when (FileProblem.Is(error))
        {
            settings.Error("Jwt:KeysPath", $"'{Path.GetFullPath(path)}' cannot be used: {error.Message}");
        }
    }

    private static Dictionary<string, Roles> RolesOf(SettingsReader settings)
    {
        var roles = new Dictionary<string, Roles>(StringComparer.Ordinal);
        foreach (var (value, names) in settings.Texts(RolesKey))
        {
            roles[value] = Roles.None;
            var each = names.Split(',', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries);
            foreach (var name in each)
                roles[value] |= UserReader.RoleOf(settings, $"{RolesKey}:{value}", name);
            if (roles[value] == Roles.None)
                settings.Error($"{RolesKey}:{value}", "names no role");
        }

        return roles;
    }
}
