using System.Net;
using System.Text.Json.Serialization;
using Gateway.Codec.Structures;
using Gateway.Transport.Profiles;
using Gateway.Transport.Security;

namespace Gateway.Loadtest;

/// <summary>The settings of every run: the server, its security, the driver's own bounds.</summary>
internal sealed record RunOptions
{
    public string? Url { get; init; }

    public bool IsRemoteAllowed { get; init; }

    [JsonIgnore]
    public string? GatewayDll { get; init; }

    public IReadOnlyList<string> GatewayArguments { get; init; } = [];

    /// <summary>0: not known.</summary>
    public int ServerPid { get; init; }

    public string Policy { get; init; } = "Basic256Sha256";

    public string Mode { get; init; } = "SignAndEncrypt";

    public string? User { get; init; }

    [JsonIgnore]
    public string? Password { get; init; }

    public string TagFormat { get; init; } = "nsu=urn:gateway:simulator;i={0}";

    public int FirstTag { get; init; } = 1000;

    public int Concurrency { get; init; } = 32;

    /// <summary>0: by the number of connections.</summary>
    public int SourceAddresses { get; init; }

    /// <summary>Asked for each session.</summary>
    [JsonIgnore]
    public TimeSpan SessionTimeout { get; init; } = TimeSpan.FromMinutes(2);

    public string OutputFolder { get; init; } = "loadtest-results";

    public string PolicyUri => SecurityPolicies.TryGetByName(Policy, out var policy) ? policy.Uri : string.Empty;

    [JsonIgnore]
    public MessageSecurityMode SecurityMode =>
        Enum.TryParse<MessageSecurityMode>(Mode, ignoreCase: true, out var mode) ? mode : MessageSecurityMode.Invalid;

    public static bool IsLoopback(string url) =>
        Uri.TryCreate(url, UriKind.Absolute, out var uri) &&
        (uri.Host == "localhost" || (IPAddress.TryParse(uri.Host, out var address) && IPAddress.IsLoopback(address)));

    public IEnumerable<string> Validate()
    {
        if (Url is not null && !TransportProfiles.TryParse(Url, out _, out _))
            yield return $"--url is not an opc.tcp address: {Url}";
        else if (Url is not null && !IsRemoteAllowed && !IsLoopback(Url))
            yield return $"--url is not on this machine; say --remote if the load may go there: {Url}";
        if (Url is not null && GatewayDll is not null)
            yield return "--url and --gateway exclude each other";
        if (Url is null && !File.Exists(GatewayDll))
            yield return $"no gateway to start: build src/Gateway, or give --gateway or --url ({GatewayDll})";
        if (ServerPid > 0 && !Directory.Exists($"/proc/{ServerPid}"))
            yield return $"--server-pid is no process here: {ServerPid}";
        if (PolicyUri.Length == 0)
            yield return $"--policy is unknown: {Policy}";
        if (SecurityMode == MessageSecurityMode.Invalid)
            yield return $"--mode is unknown: {Mode}";
        if ((Policy == "None") != (SecurityMode == MessageSecurityMode.None))
            yield return "--policy None needs --mode None, and the other way round";
        if (Concurrency is < 1 or > 1000)
            yield return $"--concurrency is not between 1 and 1000: {Concurrency}";
        if (SourceAddresses is < 0 or > 200)
            yield return $"--source-addresses is not between 0 and 200: {SourceAddresses}";
    }
}
