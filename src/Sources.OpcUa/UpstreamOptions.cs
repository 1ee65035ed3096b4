using Gateway.Client.Discovery;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Sources.OpcUa.Load;
using Gateway.Sources.OpcUa.Redundancy;
using Gateway.Sources.OpcUa.Reverse;
using Gateway.Transport.Profiles;
using Gateway.Transport.Security;

namespace Gateway.Sources.OpcUa;

/// <summary>One upstream OPC UA server as the user configured it (<c>Upstreams:n:*</c>). Holds a secret: never logged.
///</summary>
public sealed class UpstreamOptions
{
    private const int MaxBackups = 8;

    /// <summary>Unique among the upstreams; the identifier of its object below <c>urn:gateway:upstreams</c>.</summary>
    public string Name { get; init; } = string.Empty;

    /// <summary><c>opc.tcp://host[:port][/path]</c>.</summary>
    public string EndpointUrl { get; init; } = string.Empty;

    /// <summary>True: it connects to the gateway (<c>ReverseConnect:Port</c>), and says this EndpointUrl.</summary>
    public bool ReverseConnect { get; init; }

    /// <summary>The ApplicationUri that the server at EndpointUrl has to have, in its certificate and, with
    /// ReverseConnect, in its ReverseHello; empty: any. The servers at BackupUrls have others.</summary>
    public string ServerUri { get; init; } = string.Empty;

    /// <summary>The servers that stand in for it, in the order in which they are tried; empty: none.</summary>
    public string[] BackupUrls { get; init; } = [];

    /// <summary>How these stand by: <c>auto</c> (as their RedundancySupport says), <c>cold</c>, <c>warm</c> or
    /// <c>hot</c>.</summary>
    public string Standby { get; init; } = StandbyMode.Auto;

    /// <summary>Of all its servers, in their order.</summary>
    internal IEnumerable<string> Urls => BackupUrls.Prepend(EndpointUrl);

    /// <summary>A short name (<c>Basic256Sha256</c>) or a URI; empty: the best that both sides know, and never None.
    /// </summary>
    public string SecurityPolicy { get; init; } = string.Empty;

    /// <summary><c>None</c>, <c>Sign</c> or <c>SignAndEncrypt</c>; empty: SignAndEncrypt, or None where SecurityPolicy
    /// is None.</summary>
    public string SecurityMode { get; init; } = string.Empty;

    /// <summary>Empty: anonymous.</summary>
    public string User { get; init; } = string.Empty;

    public string Password { get; init; } = string.Empty;

    /// <summary>True: the password is sent also where the server is not authenticated (SecurityPolicy None), and in the
    /// clear where the server takes it so. False: there is no connection then.</summary>
    public bool AllowInsecurePassword { get; init; }

    /// <summary>Node ids (<c>nsu=</c>, <c>ns=</c>) where browsing starts; empty: Objects without its Server object.
    ///</summary>
    public string[] Roots { get; init; } = [];

    /// <summary>Of the upstream subscription, and the sampling interval of its items. Default: fast enough for people
    /// and slow enough for a controller.</summary>
    public double PublishingIntervalMs { get; init; } = 250;

    /// <summary>Nodes taken over at most, those of its types apart, which may be as many; the rest is counted in the
    /// log.</summary>
    public int MaxNodes { get; init; } = 200_000;

    /// <summary>After which the gateway browses it again, to see what has changed; zero: only when it connects.
    /// </summary>
    public TimeSpan BrowseInterval { get; init; } = TimeSpan.FromMinutes(10);

    /// <summary>How long the values keep their status after a lost connection; then they are Bad_NoCommunication. The
    /// queues of the items are asked to hold the changes of so long. Default: a switch that starts anew, a cable that
    /// is put in again. Zero: not at all.</summary>
    public TimeSpan Bridge { get; init; } = TimeSpan.FromSeconds(5);

    /// <summary>Follow its events and alarms, by one more subscription there. False: they are not seen here, and
    /// methods of its conditions are those of its nodes alone.</summary>
    public bool Events { get; init; } = true;

    /// <summary>Tell what has changed in its model, and serve old ids on where that is certain. False: it changes by
    /// itself all the time.</summary>
    public bool DriftGuard { get; init; } = true;

    /// <summary>The kind of server: <see cref="Budget"/> begins with its figures.</summary>
    public string Profile { get; init; } = UpstreamProfiles.Generic;

    /// <summary>See <see cref="UpstreamBudget"/>; default: as the profile has it.</summary>
    public int MaxItems { get; init; } = UpstreamProfiles.Default.MaxItems;

    /// <summary>As above.</summary>
    public int MaxConcurrentRequests { get; init; } = UpstreamProfiles.Default.MaxConcurrentRequests;

    /// <summary>As above.</summary>
    public int MaxRequestsPerSecond { get; init; } = UpstreamProfiles.Default.MaxRequestsPerSecond;

    /// <summary>As above.</summary>
    public int MaxReadsPerSecond { get; init; } = UpstreamProfiles.Default.MaxReadsPerSecond;

    /// <summary>The load that the gateway puts on it at most.</summary>
    public UpstreamBudget Budget =>
        new(MaxItems, MaxConcurrentRequests, MaxRequestsPerSecond, MaxReadsPerSecond);

    /// <summary>Null where none is asked for.</summary>
    internal string? SecurityPolicyUri => SecurityPolicy.Length == 0 ? null
        : SecurityPolicies.TryGetByName(SecurityPolicy, out var policy) ? policy.Uri
        : SecurityPolicy;

    internal MessageSecurityMode ParsedSecurityMode =>
        Enum.TryParse<MessageSecurityMode>(SecurityMode, ignoreCase: true, out var mode)
            ? mode
            : MessageSecurityMode.Invalid;

    /// <summary>The mode that is asked for.</summary>
    internal MessageSecurityMode RequiredMode => EndpointSelector.ModeOf(SecurityPolicyUri, ParsedSecurityMode);

    /// <summary>The insecure setting; null: none.</summary>
    public string? InsecureReason
    {
        get
        {
            List<string> reasons = [];
            if (RequiredMode == MessageSecurityMode.None)
                reasons.Add("nothing shows who the server is, and anybody on the network path can read and change " +
                    "what is sent (SecurityPolicy None)");
            if (RequiredMode == MessageSecurityMode.None && ReverseConnect)
                reasons.Add("anybody who connects to ReverseConnect:Port with its EndpointUrl and ServerUri is taken " +
                    "for it (ReverseConnect without security)");
            if (RequiredMode == MessageSecurityMode.Sign)
                reasons.Add("anybody on the network path can read what is sent (SecurityMode=Sign)");
            if (AllowInsecurePassword && User.Length > 0)
                reasons.Add("the password is sent without knowing to whom (AllowInsecurePassword=true)");
            return reasons.Count == 0 ? null : string.Join("; ", reasons);
        }
    }

    /// <summary>True where nothing would be different with the other.</summary>
    internal bool IsSame(UpstreamOptions other) =>
        (Name, EndpointUrl, SecurityPolicy, SecurityMode, User, Password, AllowInsecurePassword) ==
        (other.Name, other.EndpointUrl, other.SecurityPolicy, other.SecurityMode, other.User, other.Password,
            other.AllowInsecurePassword) &&
        PublishingIntervalMs.Equals(other.PublishingIntervalMs) && MaxNodes == other.MaxNodes &&
        BrowseInterval == other.BrowseInterval && Bridge == other.Bridge && Events == other.Events &&
        DriftGuard == other.DriftGuard && ReverseConnect == other.ReverseConnect && ServerUri == other.ServerUri &&
        Profile == other.Profile && Standby == other.Standby && Budget == other.Budget &&
        Roots.SequenceEqual(other.Roots) && BackupUrls.SequenceEqual(other.BackupUrls);

    /// <summary>All that is wrong, each with the key below <paramref name="section"/> (<c>Upstreams:0</c>).</summary>
    public IEnumerable<string> Validate(string section)
    {
        if (string.IsNullOrWhiteSpace(Name))
            yield return $"{section}:Name: is missing";
        if (EndpointUrl.Length == 0)
            yield return $"{section}:EndpointUrl: is missing";
        else if (!TransportProfiles.TryParse(EndpointUrl, out _, out _))
            yield return $"{section}:EndpointUrl: '{EndpointUrl}' is no {TransportProfiles.UrlForms} address";
        foreach (var backup in BackupUrls)
        {
            if (!TransportProfiles.TryParse(backup, out _, out _))
                yield return $"{section}:BackupUrls: '{backup}' is no {TransportProfiles.UrlForms} address";
        }

        if (BackupUrls.Length > MaxBackups ||
            Urls.Distinct(ReverseNames.UrlComparer).Count() <= BackupUrls.Length)
            yield return $"{section}:BackupUrls: expected at most {MaxBackups} other addresses, each once";
        if (!StandbyMode.All.Contains(Standby))
            yield return $"{section}:Standby: '{Standby}' is not {string.Join(", ", StandbyMode.All)}";
        if (ReverseConnect && Urls.Any(
            static url => !url.StartsWith("opc.tcp:", StringComparison.OrdinalIgnoreCase)))
            yield return $"{section}:ReverseConnect: is for opc.tcp addresses alone";
        if (!SecurityPolicies.TryGet(SecurityPolicyUri ?? SecurityPolicies.None.Uri, out _))
            yield return $"{section}:SecurityPolicy: '{SecurityPolicy}' is unknown; known are "
                + string.Join(", ", SecurityPolicies.All);
        if (SecurityMode.Length > 0 && ParsedSecurityMode == MessageSecurityMode.Invalid)
            yield return $"{section}:SecurityMode: '{SecurityMode}' is not None, Sign or SignAndEncrypt";
        if (ParsedSecurityMode != MessageSecurityMode.Invalid && SecurityPolicyUri is { } uri &&
            (uri == SecurityPolicies.None.Uri) != (ParsedSecurityMode == MessageSecurityMode.None))
            yield return
                $"{section}:SecurityMode: '{SecurityMode}' does not go with {section}:SecurityPolicy={SecurityPolicy}";
        if (PublishingIntervalMs is not (>= 10 and <= 3_600_000))
            yield return $"{section}:PublishingIntervalMs: {PublishingIntervalMs} is not between 10 and 3600000";
        if (MaxNodes < 1)
            yield return $"{section}:MaxNodes: {MaxNodes} is less than 1";
        foreach (var root in Roots)
        {
            if (!NodeIdText.TryParse(root, out ExpandedNodeId _))
                yield return $"{section}:Roots: '{root}' is no node id";
        }
    }
}
