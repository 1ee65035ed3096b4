using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Text;
using Gateway.Admission;
using Gateway.Host.Logging;
using Gateway.Operations.Access;
using Gateway.Publish;
using Gateway.Server;
using Gateway.Server.Users;
using Gateway.Sources.OpcUa;
using Gateway.Sources.Simulator;
using Gateway.Transport.Hosting;
using Gateway.Transport.Http;
using Gateway.Transport.Profiles;
using Gateway.Transport.Security;

namespace Gateway.Host.Configuration;

/// <summary>Makes <see cref="GatewaySettings"/> from files, environment and command line, or says all that is wrong.
/// </summary>
internal sealed class GatewaySettingsReader(ConfigurationLayers layers)
{

    private static readonly IPAddress AnyAddress = Socket.OSSupportsIPv6 ? IPAddress.IPv6Any : IPAddress.Any;

    private static readonly TimeSpan ShortestGracePeriod = TimeSpan.FromSeconds(1);

    private readonly SettingsReader _settings = new(layers);

    /// <returns>Null when there are errors.</returns>
    public static GatewaySettings? TryRead(ConfigurationLayers layers, out IReadOnlyList<string> errors)
    {
        var reader = new GatewaySettingsReader(layers);
        reader._settings.Errors.AddRange(layers.Arguments?.Errors ?? []);
        var settings = reader.Read();
        errors = reader._settings.Errors;
        return errors.Count == 0 ? settings : null;
    }

    private GatewaySettings Read()
    {
        var isDemo = _settings.Flag("Demo", false);
        var limits = new LimitsReader(_settings);
        var anonymous = Anonymous(isDemo);
        var endPoint = EndPoint("OpcUa", TransportProfiles.UaTcp.DefaultPort, AnyAddress);
        var settings = new GatewaySettings
        {
            ConfigurationFiles = layers.Files,
            IsDemo = isDemo,
            OpcUaEndPoint = endPoint,
            EndpointUrls = EndpointUrls(),
            Security = new SecurityOffer { Policies = Policies(isDemo) },
            ApplicationUri = ApplicationUri(endPoint),
            IsApplicationUriGiven = _settings.IsGiven("OpcUa:ApplicationUri"),
            ApplicationName = Named("OpcUa:ApplicationName", "OPC UA Gateway"),
            HostNames = HostNames(),
            HttpEndPoint = EndPoint("Http", 8080, IPAddress.Loopback),
            PkiPath = PkiPath(),
            AutoTrust = _settings.Flag("Pki:AutoTrust", false) || isDemo,
            AcceptUnknownRevocation = _settings.Flag("Pki:AcceptUnknownRevocation", false),
            AcceptMissingKeyUsage = _settings.Flag("Pki:AcceptMissingKeyUsage", false),
            AcceptMissingDataEncipherment = _settings.Flag("Pki:AcceptMissingDataEncipherment", false),
            MaxRejectedCertificates = _settings.Number("Pki:MaxRejectedCertificates", 200, 1, 10_000),
            TrustedUserRoles = RolesOf("Pki:TrustedUserRoles", Roles.Observer),
            Users = Users(),
            AnonymousRoles = anonymous,
            Upstreams = Upstreams(),
            NodeSetsPath = NodeSetsPath(),
            Simulator = Simulator(new SimulatorOptions()),
            TransportLimits = limits.Read<TransportLimits>(),
            HttpLimits = limits.Read<HttpLimits>(),
            ServerLimits = limits.Read<ServerLimits>(),
            PublishLimits = limits.Read<PublishLimits>(),
            AdmissionLimits = limits.Read<AdmissionLimits>(),
            UpstreamLimits = limits.Read<UpstreamLimits>(),
            LogLimits = limits.Read<LogLimits>(),
            IsAdmissionEnabled = _settings.Flag("Admission:Enabled", true),
            ShutdownAnnounce = _settings.Seconds("Shutdown:AnnounceSeconds", 2, 3_600),
            ShutdownGrace = _settings.Seconds("Shutdown:GraceSeconds", 10, 3_600),
            LogsAsJson = LogFormat(),
        };
        if (settings.ShutdownAnnounce >= settings.ShutdownGrace)
            _settings.Error("Shutdown:AnnounceSeconds", "is not less than Shutdown:GraceSeconds");
        if (settings.OpcUaEndPoint.Port == settings.HttpEndPoint.Port)
            _settings.Error("Http:Port", "is the same as OpcUa:Port");
        if (settings.HttpLimits.HttpGracePeriod <= ShortestGracePeriod)
            _settings.Error("Limits:HttpGracePeriod", "is not more than a second: the web server looks once a second");
        _settings.CheckForUnknownKeys();
        return settings with
        {
            Warnings = _settings.Warnings,
            // No request is larger than the message that carries it: one number is told, enforced and explained.
            ServerLimits = settings.ServerLimits with
            {
                MaxRequestMessageSizeBytes = Math.Min(
                    settings.ServerLimits.MaxRequestMessageSizeBytes, settings.TransportLimits.MaxMessageSizeBytes),
            },
        };
    }

    private IPEndPoint EndPoint(string section, int defaultPort, IPAddress defaultAddress)
    {
        var port = _settings.Number($"{section}:Port", defaultPort, 1, 65_535);
        var text = _settings.Text($"{section}:Address");
        if (text is "any" or "*")
            return new IPEndPoint(AnyAddress, port);
        if (text == "localhost")
            return new IPEndPoint(IPAddress.Loopback, port);
        IPAddress? address = null;
        if (text.Length > 0 && !IPAddress.TryParse(text, out address))
            _settings.Error($"{section}:Address", $"'{text}' is no IP address; write 'any' for all addresses");
        return new IPEndPoint(address ?? defaultAddress, port);
    }

    private string[] EndpointUrls()
    {
        var urls = _settings.List("OpcUa:EndpointUrls");
        foreach (var url in urls.Where(url => !TransportProfiles.TryParse(url, out _, out _)))
            _settings.Error("OpcUa:EndpointUrls", $"'{url}' is no {TransportProfiles.UrlForms} address");
        return urls;
    }

    private SecurityPolicy[] Policies(bool isDemo)
    {
        const string key = "OpcUa:SecurityPolicies";
        var policies = new List<SecurityPolicy>();
        var names = _settings.NonEmptyList(key);
        if (names.Length == 0)
            policies.AddRange(SecurityPolicies.Secured);
        foreach (var name in names)
        {
            if (!SecurityPolicies.TryGetByName(name, out var policy) && !SecurityPolicies.TryGet(name, out policy))
                _settings.Error(key, $"'{name}' is not offered; known are {string.Join(", ", SecurityPolicies.All)}");
            else if (!policies.Contains(policy))
                policies.Add(policy);
        }
        if (isDemo && !policies.Contains(SecurityPolicies.None))
            policies.Add(SecurityPolicies.None);
        return [.. policies];
    }

    /// <summary>By default one of its own for each gateway of a host: the same at every start, other with another port
    /// or address. The certificate of an earlier start keeps its own.</summary>
    private string ApplicationUri(IPEndPoint endPoint)
    {
        var byDefault = new StringBuilder($"urn:{Dns.GetHostName().ToLowerInvariant()}:opcua-gateway");
        if (!endPoint.Address.Equals(AnyAddress) && !IPAddress.IsLoopback(endPoint.Address))
        {
            // Without the scope, and with no colon of its own.
            var address = new IPAddress(endPoint.Address.GetAddressBytes()).ToString();
            byDefault.Append(':').Append(address.Replace(':', '-'));
        }

        if (endPoint.Port != TransportProfiles.UaTcp.DefaultPort)
            byDefault.Append(':').Append(endPoint.Port.ToString(CultureInfo.InvariantCulture));
        var uri = Named("OpcUa:ApplicationUri", byDefault.ToString());
        if (!Uri.TryCreate(uri, UriKind.Absolute, out _))
            _settings.Error("OpcUa:ApplicationUri", $"'{uri}' is no URI");
        return uri;
    }

    private string PkiPath()
    {
        var path = Named("Pki:Path", "pki");
        if (path.Length > 0 && File.Exists(path))
            _settings.Error("Pki:Path", $"'{Path.GetFullPath(path)}' is a file, not a folder");
        return path;
    }

    private string[] HostNames()
    {
        var names = _settings.List("OpcUa:HostNames");
        foreach (var name in names.Where(name => Uri.CheckHostName(name) == UriHostNameType.Unknown))
            _settings.Error("OpcUa:HostNames", $"'{name}' is no host name");
        return names;
    }

    private string Named(string key, string byDefault)
    {
        var text = _settings.Text(key, byDefault);
        if (string.IsNullOrWhiteSpace(text))
            _settings.Error(key, "is empty");
        return text;
    }

    private Roles? Anonymous(bool isDemo)
    {
        var isEnabled = _settings.Flag("Anonymous:Enabled", true);
        var roles = RolesOf("Anonymous:Roles", Roles.Observer);
        if (isDemo)
            return roles | Roles.Observer | Roles.Operator;
        return isEnabled ? roles : null;
    }

    private Roles RolesOf(string key, Roles byDefault)
    {
        var names = _settings.NonEmptyList(key);
        var roles = Roles.None;
        foreach (var name in names)
        {
            if (!Enum.TryParse<Roles>(name, ignoreCase: true, out var role) || !Enum.IsDefined(role))
                _settings.Error(key,
                    $"'{name}' is no role; roles are {string.Join(", ", Enum.GetNames<Roles>().Skip(1))}");
            roles |= role;
        }
        return names.Length == 0 ? byDefault : roles;
    }

    private UserAccount[] Users()
    {
        var users = new List<UserAccount>();
        foreach (var key in _settings.Elements("Users"))
        {
            var user = new UserAccount(
                Named($"{key}:Name", ""), Password(key), Thumbprint(key), RolesOf($"{key}:Roles", Roles.Observer));
            if (user.Password is null && user.Thumbprint is null)
                _settings.Error(key, "has none of PasswordHash, Password and CertificateThumbprint");
            if (users.Exists(other => other.Name == user.Name))
                _settings.Error($"{key}:Name", $"'{user.Name}' is there twice");
            if (user.Thumbprint is not null && users.Exists(other => other.Thumbprint == user.Thumbprint))
                _settings.Error($"{key}:CertificateThumbprint", "belongs to another user too");
            users.Add(user);
        }
        return [.. users];
    }

    private PasswordHash? Password(string key)
    {
        var text = _settings.Text($"{key}:PasswordHash");
        var plain = _settings.Text($"{key}:Password");
        if (text.Length > 0 && plain.Length > 0)
            _settings.Error($"{key}:Password", "is there beside a PasswordHash; keep one");
        if (text.Length == 0)
            return plain.Length == 0 ? null : PasswordHash.Create(Encoding.UTF8.GetBytes(plain));
        // The text itself is a secret of sorts: it is not repeated.
        if (!PasswordHash.TryParse(text, out var hash))
            _settings.Error($"{key}:PasswordHash", "is no hash as --hash-password prints it");
        return hash;
    }

    private string? Thumbprint(string key)
    {
        var text = _settings.Text($"{key}:CertificateThumbprint").Replace(":", "", StringComparison.Ordinal).Trim();
        if (text.Length == 0)
            return null;
        if (text.Length != 40 || !text.All(char.IsAsciiHexDigit))
            _settings.Error($"{key}:CertificateThumbprint", "is no SHA-1 thumbprint of 40 hexadecimal digits");
        return text.ToUpperInvariant();
    }

    private SimulatorOptions Simulator(SimulatorOptions byDefault) => new()
    {
        Enabled = _settings.Flag("Simulator:Enabled", byDefault.Enabled),
        Tags = _settings.Number("Simulator:Tags", byDefault.Tags, 0, SimulatorOptions.MaxTags),
        ChangesPerSecond = _settings.Number(
            "Simulator:ChangesPerSecond", byDefault.ChangesPerSecond, 0, SimulatorOptions.MaxChangesPerSecond),
    };

    private UpstreamOptions[] Upstreams()
    {
        var upstreams = new List<UpstreamOptions>();
        foreach (var key in _settings.Elements("Upstreams"))
        {
            var options = Upstream(key);
            _settings.Errors.AddRange(options.Validate(key));
            if (upstreams.Exists(other => other.Name == options.Name))
                _settings.Error($"{key}:Name", $"'{options.Name}' is there twice");
            upstreams.Add(options);
        }
        return [.. upstreams];
    }

    /// <summary>Not by the runtime's binder: that ends at the first value that it cannot read.</summary>
    private UpstreamOptions Upstream(string key)
    {
        var byDefault = new UpstreamOptions();
        return new UpstreamOptions
        {
            Name = _settings.Text($"{key}:Name"),
            EndpointUrl = _settings.Text($"{key}:EndpointUrl"),
            SecurityPolicy = _settings.Text($"{key}:SecurityPolicy"),
            SecurityMode = _settings.Text($"{key}:SecurityMode"),
            User = _settings.Text($"{key}:User"),
            Password = _settings.Text($"{key}:Password"),
            AllowInsecurePassword = _settings.Flag($"{key}:AllowInsecurePassword", false),
            Roots = _settings.List($"{key}:Roots"),
            PublishingIntervalMs =
                _settings.Milliseconds($"{key}:PublishingIntervalMs", byDefault.PublishingIntervalMs),
            MaxNodes = _settings.Number($"{key}:MaxNodes", byDefault.MaxNodes, 1, int.MaxValue),
        };
    }

    private string NodeSetsPath()
    {
        var path = _settings.Text("NodeSets:Path");
        if (path.Length > 0 && !Directory.Exists(path))
            _settings.Error("NodeSets:Path", $"there is no folder '{Path.GetFullPath(path)}'");
        return path;
    }

    private bool LogFormat()
    {
        var format = _settings.Text("Log:Format", "simple");
        if (format is not ("simple" or "json"))
            _settings.Error("Log:Format", $"'{format}' is neither simple nor json");
        return format == "json";
    }
}
