using System.Text.Json.Nodes;
using Gateway.Transport.Security;

namespace Gateway.Host.Importing;

/// <summary>Makes <c>Upstreams</c> of the entries' endpoints.</summary>
/// <param name="withPasswords">They are printed.</param>
/// <param name="notes">Gets what could not be taken.</param>
internal sealed class UpstreamImport(bool withPasswords, ImportNotes notes)
{
    private readonly List<ImportedUpstream> _all = [];
    private readonly Dictionary<(string, string, string, string), ImportedUpstream> _byEndpoint = [];

    public IReadOnlyList<ImportedUpstream> All => _all;

    public JsonArray ToJson() => new([.. _all.Select(static one => one.ToJson())]);

    /// <summary>Null: the entry names no server.</summary>
    public ImportedUpstream? Of(JsonSettings entry)
    {
        var url = entry.Text("EndpointUrl");
        var (policy, mode) = SecurityOf(entry, url);
        var user = UserOf(entry, url, out var password);
        if (!url.StartsWith("opc.tcp://", StringComparison.OrdinalIgnoreCase) ||
            !Uri.TryCreate(url, UriKind.Absolute, out var parsed) || parsed.Host.Length == 0)
        {
            notes.Lost($"an entry whose EndpointUrl is '{url}': the gateway connects to opc.tcp://host:port");
            return null;
        }

        var key = (url, policy, mode, user);
        if (_byEndpoint.TryGetValue(key, out var known))
            return known;
        var upstream = new ImportedUpstream
        {
            Name = NameOf(parsed),
            EndpointUrl = url,
            SecurityPolicy = policy,
            SecurityMode = mode,
            User = user,
            Password = withPasswords ? password : string.Empty,
        };
        if (user.Length > 0 && upstream.Password.Length == 0)
            notes.Decided(
                $"{upstream.Name}: the password of '{user}' is not printed: set it as "
                + $"Upstreams__{_all.Count}__Password in the environment, or import --with-passwords");
        if (user.Length > 0 && policy == SecurityPolicies.None.Name)
            notes.Decided(
                $"{upstream.Name}: the gateway sends no password without security: remove SecurityPolicy, or see "
                + "AllowInsecurePassword in docs/upstreams.md");
        _byEndpoint.Add(key, upstream);
        _all.Add(upstream);
        return upstream;
    }

    /// <summary>Nothing is less secure than the file says with its own words (R45).</summary>
    private (string Policy, string Mode) SecurityOf(JsonSettings entry, string url)
    {
        var use = entry.Flag("UseSecurity");
        var mode = entry.Text("EndpointSecurityMode");
        var policy = entry.Text("EndpointSecurityPolicy");
        var isNone = Is(mode, "None") || policy.EndsWith("#None", StringComparison.OrdinalIgnoreCase) ||
            Is(policy, "None") || (use == false && mode.Length == 0 && policy.Length == 0);
        if (isNone)
        {
            notes.Decided(
                $"{url}: the file says that it has no security, so SecurityPolicy is None; remove the key to have "
                + "the server's best");
            return (SecurityPolicies.None.Name, string.Empty);
        }

        if (use is null && mode.Length == 0 && policy.Length == 0)
            notes.Decided($"{url}: the file says nothing of security: the gateway asks for SignAndEncrypt");
        if (policy.Length > 0 && !SecurityPolicies.TryGet(policy, out _) &&
            !SecurityPolicies.TryGetByName(policy, out _))
        {
            notes.Lost($"EndpointSecurityPolicy '{policy}' of {url}: the gateway does not know it, and takes the best");
            policy = string.Empty;
        }

        if (Is(mode, "Sign"))
            return (policy, "Sign");
        if (mode.Length > 0 && !Is(mode, "SignAndEncrypt") && !Is(mode, "Best") && !Is(mode, "NotNone"))
            notes.Lost($"EndpointSecurityMode '{mode}' of {url}: the gateway takes SignAndEncrypt");
        return (policy, string.Empty);
    }

    private string UserOf(JsonSettings entry, string url, out string password)
    {
        var mode = entry.Text("OpcAuthenticationMode");
        var user = entry.Text("OpcAuthenticationUsername", "OpcAuthenticationUserName");
        password = entry.Text("OpcAuthenticationPassword");
        var sealedUser = entry.Text("EncryptedAuthUsername", "EncryptedAuthPassword");
        if (mode.Length == 0 || Is(mode, "Anonymous"))
            return string.Empty;
        if (!Is(mode, "UsernamePassword"))
        {
            notes.Lost($"OpcAuthenticationMode '{mode}' of {url}: the gateway logs in as anonymous");
            return string.Empty;
        }

        if (user.Length == 0)
            notes.Lost(sealedUser.Length > 0
                ? $"the encrypted user of {url}: only the program that wrote it can read it; set User and Password"
                : $"the user of {url}: the file has none");
        return user;
    }

    /// <summary>Of the host, which operators know.</summary>
    private string NameOf(Uri url)
    {
        var host = url.Host.Trim('[', ']').Replace(':', '-');
        var name = url.Port is 4840 or < 0 ? host : $"{host}-{url.Port}";
        return UniqueNames.Make(name, one => _all.Exists(other => other.Name == one));
    }

    private static bool Is(string text, string other) => text.Equals(other, StringComparison.OrdinalIgnoreCase);
}
