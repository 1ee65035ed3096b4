using System.Net;
using Gateway.Codec.Structures;
using Gateway.Transport.Security;

namespace Gateway.Loadtest;

/// <summary>One run as asked for on the command line.</summary>
internal sealed record RunOptions
{
    public string? Url { get; init; }

    public string? GatewayDll { get; init; }

    /// <summary>0: not known.</summary>
    public int ServerPid { get; init; }

    /// <summary>For a gateway started here, beside those that the run gives it: <c>--Limits:MaxSessions=20000</c>.
    /// </summary>
    public IReadOnlyList<string> ServerArguments { get; init; } = [];

    public required string Policy { get; init; }

    public required string Mode { get; init; }

    public required string TagFormat { get; init; }

    public required string OutputFolder { get; init; }

    public int Sessions { get; init; }

    public int Tags { get; init; }

    public int ChangesPerSecond { get; init; }

    public int Seconds { get; init; }

    public int Parallel { get; init; }

    public double IntervalMs { get; init; }

    public string PolicyUri => SecurityPolicies.TryGetByName(Policy, out var policy) ? policy.Uri : string.Empty;

    public MessageSecurityMode SecurityMode =>
        Enum.TryParse<MessageSecurityMode>(Mode, ignoreCase: true, out var mode) ? mode : MessageSecurityMode.Invalid;

    public IEnumerable<string> Validate()
    {
        if (Url is null == GatewayDll is null)
            yield return "either --url or --gateway is needed";
        if (Url is not null && !IsLoopback(Url))
            yield return $"--url is not a loopback opc.tcp address: {Url}";
        if (GatewayDll is not null && !File.Exists(GatewayDll))
            yield return $"--gateway is not there: {GatewayDll}";
        if (PolicyUri.Length == 0)
            yield return $"--policy is unknown: {Policy}";
        if (SecurityMode == MessageSecurityMode.Invalid)
            yield return $"--mode is unknown: {Mode}";
        if (Sessions is < 1 or > 50_000)
            yield return "--sessions is not between 1 and 50000";
        if (Tags is < 1 or > 1_000_000)
            yield return "--tags is not between 1 and 1000000";
        if (Seconds is < 1 or > 3600)
            yield return "--seconds is not between 1 and 3600";
        if (Parallel is < 1 or > 1000)
            yield return "--parallel is not between 1 and 1000";
    }

    private static bool IsLoopback(string url) =>
        Uri.TryCreate(url, UriKind.Absolute, out var uri) && uri.Scheme == "opc.tcp" &&
        (uri.Host == "localhost" || (IPAddress.TryParse(uri.Host, out var address) && IPAddress.IsLoopback(address)));
}
